// The run-time library of LaLa specifications, checked against the standard containers and 64-bit
// arithmetic.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "lala.hpp"

namespace {

using lala::BigInt;
using lala::Code;
using lala::List;
using lala::Map;
using lala::Node;
using lala::Random;
using lala::Session;
using lala::Set;
using lala::String;
using lala::Text;

TEST(SessionTest, NestsAndReusesMemory) {
  Session outer(1);
  EXPECT_EQ(&Session::Current(), &outer);
  {
    Session inner(2);
    EXPECT_EQ(&Session::Current(), &inner);
  }
  EXPECT_EQ(&Session::Current(), &outer);
  for (int i = 0; i < 100000; ++i) Text(int64_t{i});
  size_t used = outer.arena().BytesUsed();
  outer.Reset(3);
  EXPECT_EQ(outer.arena().BytesUsed(), 0u);
  for (int i = 0; i < 100000; ++i) Text(int64_t{i});
  EXPECT_EQ(outer.arena().BytesUsed(), used);
  EXPECT_EQ(outer.seed(), 3u);
}

TEST(SessionTest, ABlockLargerThanUsualIsFine) {
  Session session;
  std::string big(10'000'000, 'x');
  EXPECT_EQ(Text(big).view(), big);
  EXPECT_EQ(Text("small").view(), "small");
}

TEST(SessionTest, ThreadsHaveTheirOwn) {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      Session session(7);
      Map<String, int64_t> map;
      for (int i = 0; i < 1000; ++i) map = map.Put(Text(int64_t{i * 37 % 1000}), i);
      map.Each([&](const auto& e) { results[t] += e.key.str() + "=" + std::to_string(e.value) + ";"; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
}

TEST(StringTest, EqualByContentWhereverItLives) {
  Session session;
  static constexpr lala::Literal kName("variable_name");
  lala::StringPool pool;
  EXPECT_EQ(String(kName), Text("variable_name"));
  EXPECT_EQ(pool.Add("variable_name"), Text("variable_name"));
  EXPECT_EQ(String(kName).hash(), Text("variable_name").hash());
  EXPECT_FALSE(Text("variable_name") == Text("variable_nama"));
  EXPECT_FALSE(String() == Text(""));
  EXPECT_TRUE(lala::IsNil(String()));
  EXPECT_FALSE(lala::IsNil(Text("")));
}

TEST(StringTest, OrderedLikeStdString) {
  Session session;
  std::vector<std::string> texts = {"", "a", "ab", "abcdefgh", "abcdefghi", "b", "abcdefgg", "\xff", "abcdefghia"};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) EXPECT_EQ(Text(a) < Text(b), a < b) << a << " " << b;
  }
}

TEST(ListTest, AppendsShareWithoutSeeingEachOther) {
  Session session;
  List<int64_t> base = {1, 2, 3};
  List<int64_t> left = base.Append(4);
  List<int64_t> right = base.Append(5);
  EXPECT_EQ(left, (List<int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(right, (List<int64_t>{1, 2, 3, 5}));
  EXPECT_EQ(base.size(), 3u);
  List<int64_t> grown;
  for (int64_t i = 0; i < 10000; ++i) grown = grown.Append(i);
  for (uint32_t i = 0; i < grown.size(); ++i) ASSERT_EQ(grown[i], i);
  EXPECT_LT(session.arena().BytesUsed(), 10000u * 8 * 5);
  EXPECT_EQ(left.Tail(), (List<int64_t>{2, 3, 4}));
  EXPECT_EQ(left.Tail().Append(9), (List<int64_t>{2, 3, 4, 9}));
  EXPECT_EQ(left, (List<int64_t>{1, 2, 3, 4}));
  EXPECT_TRUE(lala::IsNil(List<int64_t>()));
  List<int64_t> self = {1};
  self.Push(self[0]);
  EXPECT_EQ(self, (List<int64_t>{1, 1}));
}

TEST(ListTest, GrowsInPlaceAndGivesBackWhatItNeedsNot) {
  Session session;
  Text("before");
  size_t before = session.arena().BytesUsed();
  List<int64_t> list;
  for (int64_t i = 0; i < 100; ++i) list.Push(i);
  EXPECT_LE(session.arena().BytesUsed() - before, 8 + 128 * 8u);
  list.Trim();
  EXPECT_EQ(session.arena().BytesUsed() - before, 8 + 100 * 8u);
  List<int64_t> even = list.Filter([](int64_t i) { return i % 2 == 0; });
  EXPECT_EQ(session.arena().BytesUsed() - before, 8 + 100 * 8u + 8 + 50 * 8u);
  Text("behind");
  list.Push(100);  // not in place: something is behind it
  EXPECT_EQ(list.size(), 101u);
  EXPECT_EQ(list[100], 100);
  EXPECT_EQ(even.back(), 98);
}

TEST(ListTest, IsReleasedOnlyIfItIsNewAndTheLatest) {
  Session session;
  List<int64_t> old = {1, 2, 3};
  lala::Arena::Mark since = session.arena().Now();
  size_t before = session.arena().BytesUsed();
  old.Release(since);
  EXPECT_EQ(session.arena().BytesUsed(), before);
  List<int64_t> fresh = {4, 5};
  List<int64_t> behind = {6};
  fresh.Release(since);
  EXPECT_EQ(fresh[0], 4);
  EXPECT_GT(session.arena().BytesUsed(), before + 24);
  behind.Release(since);
  EXPECT_EQ(behind[0], 6);  // until the next allocation
  fresh.Release(since);
  EXPECT_EQ(session.arena().BytesUsed(), before);
}

TEST(ListTest, ChecksItsBounds) {
  Session session;
  List<int64_t> list = {1, 2};
  EXPECT_EQ(list[1], 2);
  EXPECT_THROW((void)list[2], lala::Error);
  EXPECT_THROW((void)List<int64_t>().front(), lala::Error);
  EXPECT_THROW((void)List<int64_t>().back(), lala::Error);
  EXPECT_THROW((void)list.Tail().Tail().front(), lala::Error);
  Map<int64_t, int64_t> map;
  EXPECT_THROW((void)map.At(0), lala::Error);
  EXPECT_EQ(map.Put(7, 8).At(0).value, 8);
}

TEST(SharedTest, IsAValueHeldByReference) {
  Session session;
  struct Data {
    int64_t number = 5;
    bool operator==(const Data&) const = default;
  };
  lala::Shared<Data> nil;
  EXPECT_EQ(nil->number, 5);
  EXPECT_TRUE(lala::IsNil(nil));
  lala::Shared<Data> seven = Data{7};
  lala::Shared<Data> copy = seven;
  Data changed = *copy;
  changed.number = 8;
  copy = changed;
  EXPECT_EQ(seven->number, 7);
  EXPECT_EQ(copy->number, 8);
  EXPECT_TRUE(seven == lala::Shared<Data>(Data{7}));
  EXPECT_FALSE(seven == copy);
  EXPECT_EQ(sizeof(seven), sizeof(void*));
}

TEST(MapTest, AgreesWithStdMapAndKeepsOldVersions) {
  Session session(42);
  Random random(Node{1});
  std::map<int64_t, int64_t> model;
  Map<int64_t, int64_t> map;
  std::vector<std::pair<Map<int64_t, int64_t>, std::map<int64_t, int64_t>>> versions;
  for (int i = 0; i < 5000; ++i) {
    int64_t key = random.Between(-300, 300);
    if (random.Percent(30)) {
      map = map.Remove(key);
      model.erase(key);
    } else {
      map = map.Put(key, i);
      model[key] = i;
    }
    if (i % 500 == 0) versions.emplace_back(map, model);
  }
  versions.emplace_back(map, model);
  for (const auto& [version, expected] : versions) {
    ASSERT_EQ(version.size(), expected.size());
    uint32_t rank = 0;
    for (const auto& [key, value] : expected) {
      EXPECT_EQ(version.At(rank).key, key);
      EXPECT_EQ(version.At(rank).value, value);
      ASSERT_NE(version.Find(key), nullptr);
      EXPECT_EQ(*version.Find(key), value);
      ++rank;
    }
    EXPECT_EQ(version.Find(1000), nullptr);
  }
}

TEST(MapTest, EqualWhateverTheOrderOfPuts) {
  Session session;
  Map<String, int64_t> up;
  Map<String, int64_t> down;
  for (int64_t i = 0; i < 200; ++i) up = up.Put(Text(i), i);
  for (int64_t i = 200; i-- > 0;) down = down.Put(Text(i), i);
  EXPECT_EQ(up, down);
  EXPECT_FALSE(up == down.Put(Text("7"), 8));
  EXPECT_FALSE(up == down.Remove(Text("7")));
  EXPECT_TRUE(up.SameAs(up.Put(Text("7"), 7)));
}

TEST(MapTest, FromSortedAndFilterGiveTheTreeThatPutsGive) {
  Session session;
  for (int64_t count : {0, 1, 2, 3, 10, 500}) {
    Map<int64_t, int64_t> put;
    std::vector<Map<int64_t, int64_t>::Entry> entries;
    for (int64_t i = 0; i < count; ++i) {
      put = put.Put(i * 3, i);
      entries.push_back({i * 3, i});
    }
    auto made = Map<int64_t, int64_t>::FromSorted(entries);
    EXPECT_EQ(made, put);
    EXPECT_EQ(made.size(), static_cast<uint32_t>(count));
    for (uint32_t i = 0; i < made.size(); ++i) EXPECT_EQ(made.At(i).value, i);
    Map<int64_t, int64_t> odd = put.Filter([](const auto& entry) { return entry.value % 2 == 1; });
    Map<int64_t, int64_t> expected = put;
    for (int64_t i = 0; i < count; i += 2) expected = expected.Remove(i * 3);
    EXPECT_EQ(odd, expected);
    EXPECT_EQ(odd.Put(1, 1), expected.Put(1, 1));
  }
}

TEST(MapTest, EachChangedFindsExactlyTheDifferences) {
  Session session(7);
  Random random(Node{3});
  for (int round = 0; round < 200; ++round) {
    Map<int64_t, int64_t> before;
    for (int64_t i = 0; i < 60; ++i) before = before.Put(random.Between(0, 99), i);
    Map<int64_t, int64_t> after = before;
    for (int64_t i = random.Between(0, 8); i > 0; --i) {
      int64_t key = random.Between(0, 99);
      after = random.Percent(30) ? after.Remove(key) : after.Put(key, 1000 + i);
    }
    std::vector<int64_t> expected;
    before.Each([&](const auto& entry) {
      const int64_t* now = after.Find(entry.key);
      if (!now || *now != entry.value) expected.push_back(entry.key);
    });
    std::vector<int64_t> changed;
    before.EachChanged(after, [&](const auto& entry, const int64_t* now) {
      changed.push_back(entry.key);
      EXPECT_EQ(now ? *now : -1, after.Contains(entry.key) ? after.Get(entry.key) : -1);
    });
    EXPECT_EQ(changed, expected);
  }
}

TEST(MapTest, PutCostsTheLogarithm) {
  Session session;
  Map<int64_t, int64_t> map;
  for (int64_t i = 0; i < 100000; ++i) map = map.Put(i, i);
  size_t before = session.arena().BytesUsed();
  for (int64_t i = 0; i < 1000; ++i) map = map.Put(i * 97, -i - 1);
  EXPECT_LT((session.arena().BytesUsed() - before) / 1000, 48u * 60);
}

TEST(SetTest, UnionAddRemove) {
  Session session;
  Set<String> a = Set<String>().Add(Text("x")).Add(Text("y"));
  Set<String> b = Set<String>().Add(Text("z")).Add(Text("y"));
  EXPECT_EQ(a.Union(b).size(), 3u);
  EXPECT_EQ(a.Union(b), b.Union(a));
  EXPECT_FALSE(a.Remove(Text("x")).Contains(Text("x")));
  EXPECT_TRUE(a.Contains(Text("x")));
}

TEST(NodeTest, RandomDependsOnSeedAndNodeOnly) {
  Session session(5);
  uint64_t first = lala::RandomOf(Node{9});
  EXPECT_EQ(first, lala::RandomOf(Node{9}));
  EXPECT_NE(first, lala::RandomOf(Node{10}));
  Session other(6);
  EXPECT_NE(first, lala::RandomOf(Node{9}));
  Random random(Node{3});
  std::map<uint32_t, int> counts;
  for (int i = 0; i < 10000; ++i) ++counts[random.Below(10)];
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 1000, 150) << value;
  EXPECT_EQ(counts.size(), 10u);
}

TEST(BigIntTest, AgreesWithMachineArithmetic) {
  Session session(1);
  Random random(Node{2});
  for (int i = 0; i < 2000; ++i) {
    int64_t a = static_cast<int64_t>(random.Bits()) >> random.Between(1, 62);
    int64_t b = static_cast<int64_t>(random.Bits()) >> random.Between(32, 62);
    __int128 product = static_cast<__int128>(a) * b;
    EXPECT_EQ(BigInt(a) + BigInt(b), BigInt(a + b));
    EXPECT_EQ(BigInt(a) - BigInt(b), BigInt(a - b));
    EXPECT_EQ(BigInt(a) < BigInt(b), a < b);
    BigInt big = BigInt(a) * BigInt(b);
    EXPECT_EQ(big / BigInt::PowerOfTwo(40), BigInt(static_cast<int64_t>(product / (__int128{1} << 40))));
    EXPECT_EQ(BigInt::Parse(BigInt(a).ToText()), BigInt(a));
    EXPECT_EQ(BigInt::Parse(BigInt(a).ToText(16), 16), BigInt(a));
    if (b != 0) {
      EXPECT_EQ(BigInt(a) / BigInt(b), BigInt(a / b));
      EXPECT_EQ(BigInt(a) % BigInt(b), BigInt(a % b));
      EXPECT_EQ((big + BigInt(1)) % BigInt(b) * BigInt(1), BigInt(static_cast<int64_t>((product + 1) % b)));
    }
  }
  EXPECT_EQ(BigInt(INT64_MIN).ToText(), "-9223372036854775808");
  EXPECT_EQ(BigInt::PowerOfTwo(256).ToText(),
            "115792089237316195423570985008687907853269984665640564039457584007913129639936");
  EXPECT_EQ(BigInt::PowerOfTwo(64).BitLength(), 65u);
  EXPECT_EQ(BigInt(5).ToText(2, 8), "00000101");
  EXPECT_THROW(BigInt(1) / BigInt(), lala::Error);
  EXPECT_THROW(BigInt::Parse("12x"), lala::Error);
}

TEST(CodeTest, IndentsLikeItsSurroundings) {
  Session session;
  Code body = Code().Add("x = 1;").Line().Add("y = ").Add(2).Add(";");
  Code block = Code().Add("{").Indent().Line().Add(body).Dedent().Line().Add("}");
  EXPECT_EQ(block.str(), "{\n  x = 1;\n  y = 2;\n}");
  std::string out = "  ";
  lala::Print(out, 1, block);
  EXPECT_EQ(out, "  {\n    x = 1;\n    y = 2;\n  }");
  EXPECT_TRUE(lala::IsNil(Code()));
}

}  // namespace
