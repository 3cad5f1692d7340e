#include "grammar/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grammar/regex.hpp"
#include "grammar/translate_expr.hpp"
#include "support/check.hpp"

namespace assay::grammar {

namespace {

class Translator {
 public:
  Translator(const Checked& checked, const TranslateOptions& options)
      : checked_(checked), specification_(checked.specification), options_(options) {}

  std::string Run() {
    Head();
    for (const Class& target : specification_.classes) Slots(target);
    for (const Class& target : specification_.classes) {
      for (const Production& production : target.productions) WriteProduction(target, production);
      if (target.literal) Pool(target);
    }
    Tables();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    std::string text = fmt::format(format, std::forward<Args>(args)...);
    text += '\n';
    line_ += static_cast<size_t>(std::ranges::count(text, '\n'));
    out_ += text;
  }
  // One statement that belongs to a place of the specification.
  void Mapped(Place place, const std::string& text) {
    if (options_.output_name.empty()) {
      Line("{}", text);
      return;
    }
    Line("#line {} {}", place.line, Quoted(checked_.file));
    Line("{}", text);
    Line("#line {} {}", line_ + 1, Quoted(options_.output_name));
  }

  void Head() {
    Line("// Translated from {} by assay. Do not edit.", checked_.file);
    Line("#include \"grammar/translated.hpp\"");
    for (const Use& use : specification_.uses) {
      const Module* module = checked_.modules.Find(use.name);
      CHECK(module);
      Line("#include {}", Quoted(module->header.string()));
    }
    Line("");
    Line("#pragma GCC diagnostic ignored \"-Winvalid-offsetof\"");
    Line("#pragma GCC diagnostic ignored \"-Wunused-function\"");
    Line("#pragma GCC diagnostic ignored \"-Wmissing-field-initializers\"");
    Line("");
    Line("namespace {{");
    Line("");
    Line("using namespace assay::grammar::runtime;");
    Line("using namespace assay::grammar::translated;");
    Line("using namespace lala::literals;");
    Line("using lala::Print;");
  }

  std::string TypeOf(const std::string& written) const { return TranslateType(checked_.modules, written); }

  // --- slots ---
  void Slots(const Class& target) {
    Line("");
    Line("struct {}_Slots {{", target.name);
    for (const Attribute& attribute : target.attributes) {
      Line("  {} {}_;", attribute.kind == AttributeKind::Guard ? "bool" : TypeOf(attribute.type_name), attribute.name);
    }
    if (target.Generator()) Line("  {} value;", TypeOf(target.productions[0].value_type_name));
    Line("}};");
  }

  const Class& ClassOf(const Child& child) const {
    return specification_.classes[static_cast<size_t>(child.class_index)];
  }

  // --- productions ---
  void WriteProduction(const Class& target, const Production& production) {
    std::string name = target.name + "_" + production.name;
    Line("");
    Line("// --- {}.{}", target.name, production.name);
    Line("struct {}_Kids {{", name);
    for (const Child& child : production.children) {
      Line("  {}_Slots {}_;", child.class_name, child.name);
    }
    Line("}};");
    Line("struct {}_Block0 {{", name);
    Line("  {}_Kids kids;", name);
    if (!production.locals.empty()) Line("  bool computed[{}];", production.locals.size());
    Line("}};");
    for (size_t i = 0; i < production.locals.size(); ++i) WriteLocal(target, production, i);
    if (production.generator) {
      Line("uint32_t {}_Values(const Context& c, const void** values) {{", name);
      Bindings(target, production, *production.generator);
      // With a guard, several values may be tried, and rules evaluated in between.
      bool guarded = std::ranges::any_of(
          target.attributes, [](const Attribute& attribute) { return attribute.kind == AttributeKind::Guard; });
      if (!guarded) Line("  auto since = lala::Session::Current().arena().Now();");
      Mapped(production.generator->place,
             fmt::format("  return Values({}, {}values);", TranslateExpr(target, production, *production.generator),
                         guarded ? "" : "since, "));
      Line("}}");
    }
    for (size_t i = 0; i < production.rules.size(); ++i) WriteRule(target, production, i);
    for (size_t i = 0; i < production.prints.size(); ++i) {
      const Expr& print = production.prints[i];
      if (print.kind == ExprKind::Node) continue;
      Line("void {}_Print{}(const Context& c, std::string& out, int level) {{", name, i);
      Bindings(target, production, print);
      Mapped(print.place, fmt::format("  Print(out, level, {});", TranslateExpr(target, production, print)));
      Line("}}");
    }
    if (production.generator) {
      Line("void {}_PrintValue(const Context& c, std::string& out, int level) {{", name);
      Line("  Print(out, level, At<{}_Slots>(c.self).value);", target.name);
      Line("}}");
    }
  }

  void Bindings(const Class& target, const Production& production, const Expr& expr) {
    Needs needs = NeedsOf(expr);
    if (needs.self) Line("  auto& self = At<{}_Slots>(c.self);", target.name);
    if (needs.kids) Line("  auto& kids = At<{}_{}_Kids>(c.block);", target.name, production.name);
    Line("  (void)c;");
  }

  void WriteLocal(const Class& target, const Production& production, size_t index) {
    const Local& local = production.locals[index];
    std::string name = LocalName(target, production, index);
    std::string base = target.name + "_" + production.name;
    Line("inline auto {}_compute(const Context& c) {{", name);
    Bindings(target, production, local.value);
    Mapped(local.value.place, fmt::format("  return {};", TranslateExpr(target, production, local.value)));
    Line("}}");
    Line(
        "struct {0}_Block{1} : {0}_Block{2} {{ decltype({3}_compute(std::declval<const "
        "Context&>())) local{1}; }};",
        base, index + 1, index, name);
    Line("inline const auto& {}(const Context& c) {{", name);
    Line("  auto& block = At<{}_Block{}>(c.block);", base, index + 1);
    Line("  return Once(block.computed[{}], block.local{}, [&] {{ return {}_compute(c); }});", index, index + 1, name);
    Line("}}");
  }

  // A rule that only copies an attribute needs no function.
  bool IsCopy(const Class& target, const Production& production, const Rule& rule) const {
    if (rule.value.kind != ExprKind::Attribute) return false;
    const Class& from = rule.value.node == 0 ? target : ClassOf(Children(production, rule.value.node));
    const Class& to = rule.node == 0 ? target : ClassOf(Children(production, rule.node));
    const Attribute& a = from.attributes[static_cast<size_t>(rule.value.attribute)];
    const Attribute& b = to.attributes[static_cast<size_t>(rule.attribute)];
    return CxxType(a) == CxxType(b);
  }
  static const Child& Children(const Production& production, int node) {
    return production.children[static_cast<size_t>(node - 1)];
  }
  std::string CxxType(const Attribute& attribute) const {
    return attribute.kind == AttributeKind::Guard ? "bool" : TypeOf(attribute.type_name);
  }

  static std::string Target(const Production& production, const Rule& rule) {
    if (rule.node == 0) return fmt::format("self.{}_", rule.attribute_name);
    return fmt::format("kids.{}_.{}_", Children(production, rule.node).name, rule.attribute_name);
  }

  void WriteRule(const Class& target, const Production& production, size_t index) {
    const Rule& rule = production.rules[index];
    if (IsCopy(target, production, rule)) return;
    Line("void {}_{}_Rule{}(const Context& c) {{", target.name, production.name, index);
    Needs needs = NeedsOf(rule.value);
    if (needs.self || rule.node == 0) Line("  auto& self = At<{}_Slots>(c.self);", target.name);
    if (needs.kids || rule.node != 0) {
      Line("  auto& kids = At<{}_{}_Kids>(c.block);", target.name, production.name);
    }
    Mapped(rule.place,
           fmt::format("  {} = {};", Target(production, rule), TranslateExpr(target, production, rule.value)));
    Line("}}");
  }

  // --- literal pools: drawn once, here ---
  void Pool(const Class& target) {
    support::Result<Regex> regex = Regex::Parse(target.regex);
    CHECK(regex.Ok());
    choice::Choices choices = choice::Choices(0).Derive(target.name);
    std::vector<std::string> order;
    std::map<std::string, uint32_t> weights;
    for (uint32_t i = 0; i < target.count; ++i) {
      std::string text = regex->Draw(choices);
      if (weights[text]++ == 0) order.push_back(text);
    }
    Line("");
    Line("// --- {}: values of a regular expression, with weights", target.name);
    Line("const std::string_view {}_Texts[] = {{", target.name);
    for (const std::string& text : order) Line("    {{{}, {}}},", Quoted(text), text.size());
    Line("}};");
    std::string row;
    for (const std::string& text : order) row += fmt::format("{}, ", weights[text]);
    Line("const uint32_t {}_Weights[] = {{{}}};", target.name, row);
    Line("void {}_PrintValue(const Context& c, std::string& out, int level) {{", target.name);
    Line("  Print(out, level, At<{}_Slots>(c.self).str_);", target.name);
    Line("}}");
    pool_sizes_[target.name] = order.size();
    auto shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
    shortest_[target.name] = static_cast<size_t>(std::min_element(order.begin(), order.end(), shorter) - order.begin());
  }

  // --- tables ---
  static std::string Flag(bool value) { return value ? "true" : "false"; }
  static std::string OrNone(const std::optional<uint32_t>& value) {
    return value ? fmt::format("{}", *value) : "kNone";
  }

  void Sources(const Production& production, const Expr& expr, std::map<int, uint64_t>& sources) const {
    if (expr.kind == ExprKind::Attribute) sources[expr.node] |= uint64_t{1} << expr.attribute;
    if (expr.local != kUnresolved) {
      Sources(production, production.locals[static_cast<size_t>(expr.local)].value, sources);
    }
    for (const Expr& argument : expr.arguments) Sources(production, argument, sources);
  }

  std::string OffsetOf(const Class& target, const Production& production, int node, int attribute) const {
    const Class& owner = node == 0 ? target : ClassOf(Children(production, node));
    std::string inner =
        fmt::format("offsetof({}_Slots, {}_)", owner.name, owner.attributes[static_cast<size_t>(attribute)].name);
    if (node == 0) return inner;
    return fmt::format("offsetof({}_{}_Kids, {}_) + {}", target.name, production.name, Children(production, node).name,
                       inner);
  }

  void RuleTable(const Class& target, const Production& production) {
    std::string name = target.name + "_" + production.name;
    std::string rows;
    for (size_t i = 0; i < production.rules.size(); ++i) {
      const Rule& rule = production.rules[i];
      std::map<int, uint64_t> sources;
      Sources(production, rule.value, sources);
      std::string list;
      for (auto [node, mask] : sources) list += fmt::format("{{{}, {:#x}}}, ", node, mask);
      std::string source_name = "nullptr";
      if (!sources.empty()) {
        source_name = fmt::format("{}_Sources{}", name, i);
        Line("const SourceRow {}[] = {{{}}};", source_name, list);
      }
      std::string body;
      if (IsCopy(target, production, rule)) {
        const Class& to = rule.node == 0 ? target : ClassOf(Children(production, rule.node));
        body = fmt::format("nullptr, {}, {}, {}, {}, sizeof({}_Slots::{}_)", Flag(rule.value.node != 0),
                           Flag(rule.node != 0), OffsetOf(target, production, rule.value.node, rule.value.attribute),
                           OffsetOf(target, production, rule.node, rule.attribute), to.name, rule.attribute_name);
      } else {
        body = fmt::format("{}_Rule{}, false, false, 0, 0, 0", name, i);
      }
      rows += fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", rule.node, rule.attribute, rule.place.line, source_name,
                          sources.size(), body);
    }
    if (!production.rules.empty()) Line("const RuleRow {}_Rules[] = {{\n{}}};", name, rows);
  }

  void PartTable(const Class& target, const Production& production) {
    std::string name = target.name + "_" + production.name;
    std::string rows;
    for (const TemplatePart& part : production.parts) {
      switch (part.kind) {
        case TemplatePart::Kind::Text:
          rows +=
              fmt::format("    {{PartKind::Text, {}, {}, 0, false, nullptr}},\n", Quoted(part.text), part.text.size());
          break;
        case TemplatePart::Kind::NewLine: rows += "    {PartKind::NewLine, nullptr, 0, 0, false, nullptr},\n"; break;
        case TemplatePart::Kind::Indent: rows += "    {PartKind::Indent, nullptr, 0, 0, false, nullptr},\n"; break;
        case TemplatePart::Kind::Dedent: rows += "    {PartKind::Dedent, nullptr, 0, 0, false, nullptr},\n"; break;
        case TemplatePart::Kind::Child:
          rows += fmt::format("    {{PartKind::Child, nullptr, 0, {}, {}, nullptr}},\n", part.index,
                              Flag(production.children[part.index].parenthesised));
          break;
        case TemplatePart::Kind::Print: {
          const Expr& print = production.prints[part.index];
          if (print.kind != ExprKind::Node) {
            rows += fmt::format("    {{PartKind::Print, nullptr, 0, 0, false, {}_Print{}}},\n", name, part.index);
          } else if (print.node > 0) {
            rows += fmt::format("    {{PartKind::Child, nullptr, 0, {}, false, nullptr}},\n", print.node - 1);
          }
          break;
        }
      }
    }
    if (production.generator) {
      rows += fmt::format("    {{PartKind::Print, nullptr, 0, 0, false, {}_PrintValue}},\n", name);
    }
    part_counts_[name] = static_cast<size_t>(std::ranges::count(rows, '\n'));
    if (!rows.empty()) Line("const PartRow {}_Parts[] = {{\n{}}};", name, rows);
  }

  void ProductionTables(const Class& target, const Production& production) {
    std::string name = target.name + "_" + production.name;
    std::string children;
    std::string order;
    for (const Child& child : production.children) {
      children +=
          fmt::format("{{{}, {}, offsetof({}_Kids, {}_)}}, ", Quoted(child.name), child.class_index, name, child.name);
    }
    for (uint32_t child : production.alternative_order) order += fmt::format("{}, ", child);
    Line("");
    if (!production.children.empty()) {
      Line("const ChildRow {}_Children[] = {{{}}};", name, children);
      Line("const uint32_t {}_Order[] = {{{}}};", name, order);
    }
    RuleTable(target, production);
    PartTable(target, production);
  }

  std::string ProductionRow(const Class& target, const Production& production) {
    std::string name = target.name + "_" + production.name;
    size_t locals = production.locals.size();
    auto when = [&](bool present, std::string_view suffix) {
      return present ? name + std::string(suffix) : std::string("nullptr");
    };
    bool children = !production.children.empty();
    std::map<int, uint64_t> sources;
    if (production.generator) Sources(production, *production.generator, sources);
    bool block = children || locals > 0;
    return fmt::format(
        "    {{{}, {}, {}, {}, {}, {}, {}, {}, {},\n     {}, {}, {}, {}, {}, {}, {}, {}, {}, {},\n"
        "     {}, {:#x}, nullptr, nullptr, 0, 0, {}, {}}},\n",
        Quoted(production.name), &target - specification_.classes.data(), production.place.line, production.weight,
        production.min_height, Flag(production.recursive), Flag(production.hidden || target.hidden),
        Flag(production.precedence.has_value()), production.precedence.value_or(0),
        block ? fmt::format("sizeof({}_Block{})", name, locals) : "0",
        locals ? fmt::format("offsetof({}_Block0, computed)", name) : "0", locals, when(children, "_Children"),
        production.children.size(), when(children, "_Order"), when(!production.rules.empty(), "_Rules"),
        production.rules.size(), when(part_counts_[name] > 0, "_Parts"), part_counts_[name],
        when(production.generator.has_value(), "_Values"), sources[0],
        production.generator ? fmt::format("offsetof({}_Slots, value)", target.name) : "0",
        production.generator ? fmt::format("sizeof({}_Slots::value)", target.name) : "0");
  }

  std::string LiteralRow(const Class& target) {
    Line("");
    Line(
        "const PartRow {0}_Parts[] = {{{{PartKind::Print, nullptr, 0, 0, false, "
        "{0}_PrintValue}}}};",
        target.name);
    return fmt::format(
        "    {{\"literal\", {0}, {1}, 1, 1, false, {2}, false, 0,\n     0, 0, 0, nullptr, 0, "
        "nullptr, nullptr, 0, "
        "{3}_Parts, 1,\n     nullptr, 0, nullptr, {3}_Weights, {4}, {5}, offsetof({3}_Slots, "
        "str_), "
        "sizeof({3}_Slots::str_)}},\n",
        &target - specification_.classes.data(), target.place.line, Flag(target.hidden), target.name,
        pool_sizes_[target.name], shortest_[target.name]);
  }

  void Tables() {
    std::string rows;
    std::string classes;
    size_t first = 0;
    std::string pools;
    for (const Class& target : specification_.classes) {
      size_t count = 0;
      for (const Production& production : target.productions) {
        ProductionTables(target, production);
        rows += ProductionRow(target, production);
        ++count;
      }
      if (target.literal) {
        rows += LiteralRow(target);
        pools += fmt::format("  fill({}, {}_Texts, {});\n", first, target.name, pool_sizes_[target.name]);
        count = 1;
      }
      classes += ClassTables(target, first, count);
      first += count;
    }
    Line("");
    Line("ProductionRow productions[] = {{\n{}}};", rows);
    Line("const ClassRow classes[] = {{\n{}}};", classes);
    Line("");
    Line("// Fills in what only exists at run time: the strings of literal classes.");
    Line("Table MakeTable() {{");
    Line("  static lala::StringPool pool;");
    Line("  static std::vector<std::vector<lala::String>> values;");
    Line("  auto fill = [](size_t row, const std::string_view* texts, size_t count) {{");
    Line("    std::vector<lala::String> strings;");
    Line("    for (size_t i = 0; i < count; ++i) strings.push_back(pool.Add(texts[i]));");
    Line("    values.push_back(std::move(strings));");
    Line("    productions[row].values = values.back().data();");
    Line("  }};");
    Line("  (void)fill;");
    if (!pools.empty()) Line("{}", pools);
    Line("  return {{kInterfaceVersion, {}, {}, classes, {}, productions, {},", Quoted(options_.name),
         Quoted(checked_.file), specification_.classes.size(), first);
    Line("          OpenSession, CloseSession, ResetSession, BindSession}};");
    Line("}}");
    Line("");
    Line("}}  // namespace");
    Line("");
    Line("extern \"C\" const assay::grammar::runtime::Table* {}() {{", options_.symbol);
    Line("  static const assay::grammar::runtime::Table table = MakeTable();");
    Line("  return &table;");
    Line("}}");
  }

  std::string ClassTables(const Class& target, size_t first, size_t count) {
    std::string attributes;
    for (const Attribute& attribute : target.attributes) {
      std::string_view kind = attribute.kind == AttributeKind::Inherited     ? "Inherited"
                              : attribute.kind == AttributeKind::Synthesized ? "Synthesized"
                                                                             : "Guard";
      attributes += fmt::format(
          "    {{{0}, {1}, AttributeKind::{2}, offsetof({3}_Slots, {4}_), "
          "sizeof({3}_Slots::{4}_)}},\n",
          Quoted(attribute.name), Quoted(attribute.type_name), kind, target.name, attribute.name);
    }
    if (!attributes.empty()) Line("const AttributeRow {}_Attributes[] = {{\n{}}};", target.name, attributes);
    return fmt::format("    {{{}, {}, {}, {}, {}, sizeof({}_Slots), {}, {}, {}, {}, {}, {}, {}, {}, {}}},\n",
                       Quoted(target.name), first, count, attributes.empty() ? "nullptr" : target.name + "_Attributes",
                       target.attributes.size(), target.name, target.min_height, OrNone(target.max_height),
                       OrNone(target.max_alternatives), OrNone(target.list_limit), Flag(target.list),
                       Flag(target.SubProblem()), Flag(target.hidden), Flag(target.literal), Flag(target.Generator()));
  }

  const Checked& checked_;
  const Specification& specification_;
  const TranslateOptions& options_;
  std::string out_;
  size_t line_ = 0;
  std::map<std::string, size_t> pool_sizes_;
  std::map<std::string, size_t> shortest_;
  std::map<std::string, size_t> part_counts_;
};

}  // namespace

std::string Translate(const Checked& checked, const TranslateOptions& options) {
  return Translator(checked, options).Run();
}

}  // namespace assay::grammar
