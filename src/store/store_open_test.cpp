// Opening campaigns: names of folders, versions of tables, folders that cannot be written, servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <sys/mount.h>

#include <atomic>
#include <thread>

#include "store/owner.hpp"
#include "store/server.hpp"
#include "store/test_support.hpp"
#include "support/files.hpp"

namespace assay::store {
namespace {

using testing::HasSubstr;
using testing::Not;

int EntriesOf(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void Sql(const fs::path& folder, const std::string& statement) {
  soci::session session(soci::sqlite3, "db=" + (folder / "campaign.db").string());
  session << statement;
}

TEST(StoreOpenTest, AFoldersNameIsData) {
  Folder parent;
  int made = 0;
  for (const char* name : {"x\" y", "a' db=/tmp/assay_other_db", "line\nbreak", "# ?%41 &=", "db=other timeout=1", "\"",
                           "\\", "-x", "file:x?mode=memory"}) {
    fs::path folder = fs::path(parent.Path()) / name;
    OpenCampaign(folder.string());
    EXPECT_TRUE(fs::exists(folder / "campaign.db")) << name;
    EXPECT_EQ(EntriesOf(parent.Path()), ++made) << name;
    EXPECT_TRUE(Store::OpenToRead(folder).Ok()) << name;
  }
  EXPECT_FALSE(fs::exists("/tmp/assay_other_db"));
}

TEST(StoreOpenTest, ACampaignOfAnOlderVersionIsBroughtUpToDate) {
  Folder folder;
  OpenCampaign(folder.Path());
  for (const char* column : {"ended_by", "triple", "memory_bytes"}) {
    Sql(folder.Path(), std::string("ALTER TABLE bugs DROP COLUMN ") + column);
  }
  Sql(folder.Path(), "ALTER TABLE reductions DROP COLUMN explanation");
  Sql(folder.Path(), "UPDATE campaign SET schema_version = 1");
  auto store = Store::OpenToRead(folder.Path());
  ASSERT_TRUE(store.Ok()) << store.GetError().message;
  Lease lease = *(*store)->Take("a", 4)->lease;
  Bug bug = SomeBug("one");
  bug.triple = "x86_64-linux-gnu";
  ASSERT_TRUE((*store)->Record(lease, {.seed = 1000, .finds = {bug}}).Ok());
  EXPECT_EQ((*store)->Bugs(true)->front().triple, "x86_64-linux-gnu");
}

TEST(StoreOpenTest, FindsFromBeforeWritersWereKeptHaveNone) {
  Folder folder;
  {
    auto store = OpenCampaign(folder.Path());
    Lease lease = *store->Take("a", 4)->lease;
    ASSERT_TRUE(store->Record(lease, {.seed = 1000, .finds = {SomeBug("one")}}).Ok());
  }
  for (const char* table : {"bugs", "finds"}) {
    Sql(folder.Path(), std::string("ALTER TABLE ") + table + " DROP COLUMN writers");
  }
  Sql(folder.Path(), "UPDATE campaign SET schema_version = 2");
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("b", 4)->lease;
  Bug bug = SomeBug("two");
  bug.writers = "assign\nfor";
  ASSERT_TRUE(store->Record(lease, {.seed = 1001, .finds = {bug}}).Ok());
  auto finds = store->Finds().Value();
  ASSERT_EQ(finds.size(), 2u);
  for (const Find& find : finds) EXPECT_EQ(find.writers, find.bug == "two" ? "assign\nfor" : "") << find.bug;
}

TEST(StoreOpenTest, ACampaignOfANewerVersionIsRefused) {
  Folder folder;
  OpenCampaign(folder.Path());
  Sql(folder.Path(), "UPDATE campaign SET schema_version = 99");
  for (auto& store : {Store::Open(folder.Path()), Store::OpenToRead(folder.Path())}) {
    ASSERT_FALSE(store.Ok());
    EXPECT_THAT(store.GetError().message, HasSubstr("another version of assay (schema 99"));
  }
}

TEST(StoreOpenTest, WhatHoldsNoCampaignIsNotReadAsOne) {
  Folder folder;
  EXPECT_FALSE(Store::OpenToRead(folder.Path()).Ok());
  EXPECT_EQ(EntriesOf(folder.Path()), 0) << "reading makes nothing";
  ASSERT_TRUE(support::WriteFile(fs::path(folder.Path()) / "campaign.db", "").Ok());
  EXPECT_FALSE(Store::Exists(folder.Path()));
  EXPECT_FALSE(Store::OpenToRead(folder.Path()).Ok());
  ASSERT_TRUE(Store::Open(folder.Path()).Ok());  // tables, but nobody has begun a campaign
  auto read = Store::OpenToRead(folder.Path());
  ASSERT_FALSE(read.Ok());
  EXPECT_THAT(read.GetError().message, HasSubstr("is empty"));
}

TEST(StoreOpenTest, AFolderThatCannotBeWrittenIsReadWithItsLog) {
  Folder origin, folder;
  if (::mount("none", folder.Path().c_str(), "tmpfs", 0, "size=8m") != 0) {
    GTEST_SKIP() << "cannot mount a tmpfs here (needs root): a read-only folder is not tested";
  }
  auto writer = OpenCampaign(origin.Path());
  Lease lease = *writer->Take("a", 4)->lease;
  ASSERT_TRUE(writer->Record(lease, {.seed = 1000, .finds = {SomeBug("one")}}).Ok());
  ASSERT_TRUE(fs::exists(origin.Path() + "/campaign.db-wal")) << "what was recorded is still in the log";
  for (const char* name : {"campaign.db", "campaign.db-wal"}) {
    fs::copy_file(fs::path(origin.Path()) / name, fs::path(folder.Path()) / name);
  }
  ASSERT_EQ(::mount(nullptr, folder.Path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  {
    auto store = Store::OpenToRead(folder.Path());
    ASSERT_TRUE(store.Ok()) << store.GetError().message;
    EXPECT_EQ((*store)->Totals()->tests, 1);
    EXPECT_EQ((*store)->Bugs(true)->size(), 1u);
  }
  ::umount(folder.Path().c_str());
}

TEST(ServerAddressTest, NoPasswordIsShownOrKept) {
  for (const char* url : {"postgresql://u:geheim@host:5432/db?sslmode=require", "postgresql://u:gehe%69m@host/db",
                          "postgresql://host/db?user=u&password=geheim&x=y", "postgresql:///db?password=geheim",
                          "postgresql://host=h password=geheim dbname=d", "postgresql://password = 'geheim' host=h",
                          "postgresql://password='ge\\heim' host=h", "postgresql://h/d?pass%77ord=gehe%69m&a=b",
                          "postgresql://h/d?sslpassword=geheim", "postgresql://host=h sslpassword=geheim"}) {
    auto address = ParseServer(url);
    ASSERT_TRUE(address.Ok()) << url;
    EXPECT_THAT(address->secrets, testing::Contains("geheim")) << url;
    EXPECT_THAT(address->shown, Not(HasSubstr("heim"))) << url;
    EXPECT_TRUE(ParseServer(address->shown).Ok()) << address->shown;
    EXPECT_EQ(address->Redact("bad geheim"), "bad ***");
  }
  EXPECT_EQ(ParseServer("postgresql://host=h password=x dbname=d")->shown, "postgresql://host=h dbname=d");
  EXPECT_EQ(ParseServer("postgresql://u:x@h/d?a=b")->shown, "postgresql://u@h/d?a=b");
  EXPECT_EQ(ParseServer("postgresql://host=/h x='a b'")->connection, "postgresql:///?host=%2Fh&x=a%20b");
  // The driver shows addresses that it cannot read as they were given.
  EXPECT_EQ(ParseServer("postgresql://u:gehe%69m@[::1/d")->Redact("in postgresql://u:gehe%69m@[::1/d"),
            "in postgresql://u:***@[::1/d");
  for (const char* url : {"postgresql://password=my geheim host=h", "postgresql://u:x@geheim@h/d",
                          "postgresql://u:x/geheim@h/d", "postgresql://u:x?geheim@h/d"}) {
    auto wrong = ParseServer(url);
    ASSERT_FALSE(wrong.Ok()) << url;
    EXPECT_THAT(wrong.GetError().message, Not(HasSubstr("geheim")));
  }
}

// As the README has it, without a '=' anywhere.
TEST(StoreServerTest, AnAddressWithoutOptionsWorks) {
  Server server;
  if (!server.Start()) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  std::string host;
  for (char c : server.Path()) host += c == '/' ? "%2F" : std::string(1, c);
  Folder folder;
  const std::string url = "postgresql://assay@" + host + "/postgres";
  ASSERT_TRUE(Store::UseServer(folder.Path(), url).Ok());
  auto store = Store::Open(folder.Path(), url);
  ASSERT_TRUE(store.Ok()) << store.GetError().message;
  ASSERT_TRUE((*store)->Begin({.seed = 1000, .source = "c"}).Ok());
  EXPECT_TRUE(Store::OpenToRead(folder.Path()).Ok());
}

TEST(StoreServerTest, ThePasswordStaysOutOfTheFolderAndOfErrors) {
  Server server;
  if (!server.Start("ge heim")) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  Folder folder;
  unsetenv("PGPASSWORD");
  const std::string url = server.Url() + " password='ge heim'";
  ASSERT_TRUE(Store::UseServer(folder.Path(), url).Ok());
  ASSERT_TRUE(Store::UseServer(folder.Path(), server.Url()).Ok()) << "the same without the password";
  fs::path file = fs::path(folder.Path()) / "campaign.url";
  EXPECT_EQ(support::ReadFile(file).Value(), server.Url() + "\n");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  auto with = Store::Open(folder.Path(), url);
  ASSERT_TRUE(with.Ok()) << with.GetError().message;
  ASSERT_TRUE((*with)->Begin({.seed = 1000, .source = "c"}).Ok());
  auto without = Store::OpenToRead(folder.Path());
  ASSERT_FALSE(without.Ok());
  EXPECT_THAT(without.GetError().message, HasSubstr("PGPASSWORD"));
  setenv("PGPASSWORD", "ge heim", 1);
  EXPECT_TRUE(Store::OpenToRead(folder.Path()).Ok());
  unsetenv("PGPASSWORD");
  auto wrong = Store::Open(folder.Path(), server.Url() + " password=verkehrt");
  ASSERT_FALSE(wrong.Ok());
  EXPECT_THAT(wrong.GetError().message, Not(HasSubstr("verkehrt")));
  // The other form of address.
  std::string form = "postgresql://assay:ge%20heim@/postgres?host=" + server.Path();
  Folder other;
  ASSERT_TRUE(Store::UseServer(other.Path(), form).Ok());
  EXPECT_TRUE(Store::Open(other.Path(), form).Ok());
}

TEST(StoreServerTest, NothingIsSaidOnStandardError) {
  Server server;
  if (!server.Start()) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  OpenCampaign(server.Url());
  testing::internal::CaptureStderr();
  OpenCampaign(server.Url());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(StoreServerTest, AServerThatRestartsCostsNothing) {
  Server server;
  if (!server.Start()) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  auto watch = OpenCampaign(server.Url());
  constexpr int64_t kTests = 400;
  std::vector<pid_t> workers;
  for (int i = 0; i < 2; ++i) {
    workers.push_back(Fork([&] {
      auto own = Store::Open(server.Url());
      if (!own.Ok()) _exit(2);
      WorkUntilDone(**own, NewOwner(), kTests, 3000);
    }));
  }
  std::atomic<int> asked = 0;
  watch->WhenUnreachable({.keep_trying = [&](const std::string&, double) { return ++asked > 0; }});
  for (int restart = 1; restart <= 3; ++restart) {
    while (watch->Totals()->tests < restart * kTests / 5) usleep(1000);
    ASSERT_TRUE(server.Stop());
    std::thread later([&] { EXPECT_TRUE(server.StartAgain()); });
    EXPECT_TRUE(watch->Totals().Ok());
    later.join();
  }
  for (pid_t pid : workers) EXPECT_EQ(Wait(pid), 0);
  EXPECT_GT(asked, 0);
  EXPECT_EQ(watch->Totals()->tests, kTests);
  EXPECT_EQ(watch->Tallies()->front().amount, kTests);
  EXPECT_EQ(watch->Bugs(false)->front().count, kTests / 10);
  EXPECT_EQ(watch->Finds()->size(), static_cast<size_t>(kTests / 10));
  // Somebody may have had enough.
  ASSERT_TRUE(server.Stop());
  watch->WhenUnreachable({.keep_trying = [](const std::string&, double seconds) { return seconds < 0.3; }});
  auto totals = watch->Totals();
  ASSERT_FALSE(totals.Ok());
  EXPECT_THAT(totals.GetError().message, HasSubstr("cannot be reached"));
  ASSERT_TRUE(server.StartAgain());
  EXPECT_TRUE(watch->Totals().Ok()) << "a later call connects again";
}

}  // namespace
}  // namespace assay::store
