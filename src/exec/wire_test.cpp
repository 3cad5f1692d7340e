#include "exec/wire.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace assay::exec {
namespace {

// Two ends of a socket.
struct Line {
  Line() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0); }
  ~Line() {
    Hang(0);
    Hang(1);
  }
  void Hang(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int ends[2];
};

TEST(WireTest, FieldsComeBackInOrder) {
  WireWriter out;
  out.Put(7);
  out.Put(std::string("a\0b", 3));
  out.Put(std::vector<std::vector<std::string>>{{"x", ""}, {}});
  out.Put(2.5);
  WireReader in(out.Bytes());
  int number = 0;
  std::string text;
  std::vector<std::vector<std::string>> lists;
  double real = 0;
  in.Get(number);
  in.Get(text);
  in.Get(lists);
  EXPECT_FALSE(in.Complete());
  in.Get(real);
  EXPECT_TRUE(in.Complete());
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, std::string("a\0b", 3));
  EXPECT_EQ(lists, (std::vector<std::vector<std::string>>{{"x", ""}, {}}));
  EXPECT_EQ(real, 2.5);
}

// Every beginning of a message, and lengths that lie, are incomplete and cost nothing.
TEST(WireTest, ShortMessagesAreIncomplete) {
  Request request{.command = {.argv = {"cc", "-c"}, .environment = {"A=b"}, .stdin_text = "x", .writable = {"/w"}}};
  request.command.working_folder = "/f";
  const std::string bytes = Encode(request);
  Request back;
  ASSERT_TRUE(Decode(bytes, back));
  EXPECT_EQ(back.command.argv, request.command.argv);
  EXPECT_EQ(back.command.working_folder, "/f");
  EXPECT_EQ(back.command.writable, request.command.writable);
  for (size_t size = 0; size < bytes.size(); ++size) {
    Request part;
    EXPECT_FALSE(Decode(bytes.substr(0, size), part)) << size;
  }
  EXPECT_FALSE(Decode(bytes + "x", back));
  WireWriter lie;
  lie.Put(~uint64_t{0});
  std::vector<std::string> texts;
  WireReader in(lie.Bytes());
  in.Get(texts);
  EXPECT_FALSE(in.Complete());
}

TEST(WireTest, LargeMessagesPassASocketWhole) {
  Line line;
  const std::string large(3000000, 'x');
  std::thread sender([&] {
    EXPECT_TRUE(SendMessage(line.ends[0], large));
    EXPECT_TRUE(SendMessage(line.ends[0], ""));
  });
  std::string got = "old";
  EXPECT_EQ(ReceiveMessage(line.ends[1], got), Receipt::Message);
  EXPECT_EQ(got, large);
  EXPECT_EQ(ReceiveMessage(line.ends[1], got), Receipt::Message);
  EXPECT_EQ(got, "");
  sender.join();
}

TEST(WireTest, AnOtherEndThatHangsUpOrLies) {
  Line line;
  std::string got;
  const uint64_t absurd = ~uint64_t{0} / 2;
  ASSERT_EQ(::send(line.ends[0], &absurd, sizeof absurd, 0), static_cast<ssize_t>(sizeof absurd));
  ASSERT_EQ(::send(line.ends[0], "ab", 2, 0), 2);
  line.Hang(0);
  EXPECT_EQ(ReceiveMessage(line.ends[1], got), Receipt::Closed);
  EXPECT_FALSE(SendMessage(line.ends[1], "to nobody"));
}

TEST(WireTest, PatienceEnds) {
  Line line;
  std::string got;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ReceiveMessage(line.ends[1], got, {.seconds = 0.05}), Receipt::TimeUp);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
  int asked = 0;
  EXPECT_EQ(ReceiveMessage(line.ends[1], got, {.stop = [&] { return ++asked == 3; }}), Receipt::Stopped);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace assay::exec
