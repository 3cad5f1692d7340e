#include "grammar/derivation_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace assay::grammar {
namespace {

std::string NameOf(const Plan& plan, uint32_t production) {
  const runtime::ProductionRow& row = plan.Row(production);
  return fmt::format("{}.{}", plan.ClassRow(row.class_id).name, row.name);
}

// Takes a text apart; after the first thing that is not there nothing is found any more.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool Good() const { return good_; }
  bool AtEnd() const { return rest_.empty(); }

  void Expect(std::string_view text) {
    good_ = good_ && rest_.starts_with(text);
    if (good_) rest_.remove_prefix(text.size());
  }
  std::string_view Until(char end) {
    size_t at = rest_.find(end);
    good_ = good_ && at != std::string_view::npos;
    if (!good_) return {};
    std::string_view found = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return found;
  }
  template <typename T>
  T Number(char end) {
    std::string_view digits = Until(end);
    T value = 0;
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    good_ = good_ && error == std::errc() && last == digits.data() + digits.size();
    return value;
  }
  std::string_view Bytes(size_t count) {
    good_ = good_ && count <= rest_.size();
    if (!good_) return {};
    std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

support::Error Damaged(std::string_view why) {
  return support::UsageError(
      fmt::format("this derivation cannot be used: {}; make the program again from its seed", why));
}

// The children follow from the productions: they come in the order of their parents.
bool SetChildrenAndSizes(Derivation& derivation, const Plan& plan) {
  size_t next = 1;
  for (Derivation::Entry& entry : derivation.entries) {
    entry.first_child = static_cast<uint32_t>(next);
    next += plan.Row(entry.production).child_count;
  }
  if (next != derivation.entries.size()) return false;
  for (size_t i = derivation.entries.size(); i-- > 0;) {
    Derivation::Entry& entry = derivation.entries[i];
    const runtime::ProductionRow& row = plan.Row(entry.production);
    for (uint32_t c = 0; c < row.child_count; ++c) {
      const Derivation::Entry& child = derivation.entries[entry.first_child + c];
      if (plan.Row(child.production).class_id != row.children[c].class_id) return false;
      entry.size += child.size;
    }
  }
  return plan.Row(derivation.entries[0].production).class_id == 0;
}

}  // namespace

std::string SaveDerivation(const Derivation& derivation, const Plan& plan, const std::string& language) {
  std::map<uint32_t, size_t> numbers;  // of the productions that occur
  for (const Derivation::Entry& entry : derivation.entries) numbers[entry.production] = 0;
  std::string text(kDerivationMark);
  text += fmt::format("language {}\nsession {}\nserial {}\nproductions {}\n", language, derivation.session_seed,
                      derivation.next_serial, numbers.size());
  size_t next = 0;
  for (auto& [production, number] : numbers) {
    number = next++;
    text += NameOf(plan, production) + "\n";
  }
  text += fmt::format("nodes {}\n", derivation.entries.size());
  for (const Derivation::Entry& entry : derivation.entries) {
    text += fmt::format("{} {} {} {} {}\n", numbers[entry.production],
                        static_cast<int64_t>(entry.value == runtime::kNone ? -1 : static_cast<int64_t>(entry.value)),
                        entry.serial, entry.text.size(), entry.text);
  }
  return text;
}

support::Result<std::string> DerivationLanguage(std::string_view text) {
  Reader reader(text);
  reader.Expect(kDerivationMark);
  reader.Expect("language ");
  std::string language(reader.Until('\n'));
  if (!reader.Good()) return Damaged("it does not begin as one");
  return language;
}

support::Result<Derivation> LoadDerivation(std::string_view text, const Plan& plan) {
  std::map<std::string, uint32_t, std::less<>> by_name;
  for (uint32_t p = 0; p < plan.table.production_count; ++p) by_name[NameOf(plan, p)] = p;

  Derivation derivation;
  Reader reader(text);
  reader.Expect(kDerivationMark);
  reader.Expect("language ");
  reader.Until('\n');
  reader.Expect("session ");
  derivation.session_seed = reader.Number<uint64_t>('\n');
  reader.Expect("serial ");
  derivation.next_serial = reader.Number<uint32_t>('\n');
  reader.Expect("productions ");
  std::vector<uint32_t> productions;
  for (auto left = reader.Number<uint64_t>('\n'); reader.Good() && left > 0; --left) {
    std::string_view name = reader.Until('\n');
    auto found = by_name.find(name);
    if (found == by_name.end()) return Damaged(fmt::format("there is no production {}", name));
    productions.push_back(found->second);
  }
  reader.Expect("nodes ");
  for (auto left = reader.Number<uint64_t>('\n'); reader.Good() && left > 0; --left) {
    Derivation::Entry entry;
    auto production = reader.Number<uint64_t>(' ');
    auto value = reader.Number<int64_t>(' ');
    entry.serial = reader.Number<uint32_t>(' ');
    auto length = reader.Number<uint64_t>(' ');
    entry.text = reader.Bytes(length);
    reader.Expect("\n");
    if (production >= productions.size()) return Damaged("a production has no name");
    entry.production = productions[production];
    entry.value = value < 0 ? runtime::kNone : static_cast<uint32_t>(value);
    const runtime::ProductionRow& row = plan.Row(entry.production);
    if (row.values && entry.value >= row.value_count) return Damaged("a literal has no value");
    derivation.entries.push_back(std::move(entry));
  }
  if (!reader.Good() || !reader.AtEnd() || derivation.entries.empty()) {
    return Damaged("it is cut off or changed");
  }
  if (!SetChildrenAndSizes(derivation, plan)) return Damaged("the specification has changed");
  return derivation;
}

support::Result<Derivation> Derive(const Generator& generator, uint64_t seed) {
  Generator::Lease engine(generator);
  RETURN_IF_ERROR(engine->Build(seed, generator.Options()));
  return engine->Capture();
}

}  // namespace assay::grammar
