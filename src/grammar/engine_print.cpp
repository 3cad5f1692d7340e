// The text of a tree, by the templates of its productions.
#include <exception>

#include "grammar/engine.hpp"

namespace assay::grammar {

support::Result<void> Engine::Print(std::string& out) {
  struct Item {
    NodeId node;
    uint32_t part;
    int level;
    bool close;  // print ")" at the end
  };
  plan_.table.bind_session(session_);
  std::vector<Item> stack = {{tree_.Root(), 0, 0, false}};
  support::Result<void> result;
  try {
    while (!stack.empty()) {
      Item& item = stack.back();
      const runtime::Node& node = tree_[item.node];
      const runtime::ProductionRow& row = plan_.Row(node.production);
      if (row.hidden || item.part == row.part_count) {
        if (item.close) out += ')';
        stack.pop_back();
        continue;
      }
      const runtime::PartRow& part = row.parts[item.part++];
      switch (part.kind) {
        case runtime::PartKind::Text: out.append(part.text, part.length); break;
        case runtime::PartKind::Indent:
        case runtime::PartKind::Dedent:
        case runtime::PartKind::NewLine:
          if (part.kind == runtime::PartKind::Indent) ++item.level;
          if (part.kind == runtime::PartKind::Dedent) --item.level;
          out += '\n';
          if (item.level > 0) out.append(static_cast<size_t>(item.level) * 2, ' ');
          break;
        case runtime::PartKind::Child: {
          NodeId child = node.first_child + part.child;
          const runtime::ProductionRow& below = plan_.Row(tree_[child].production);
          bool parentheses =
              part.parenthesised && !(row.has_precedence && below.has_precedence && below.precedence > row.precedence);
          if (parentheses) out += '(';
          int level = item.level;
          stack.push_back({child, 0, level, parentheses});  // invalidates item
          break;
        }
        case runtime::PartKind::Print:
          at_production_ = node.production;
          at_line_ = row.line;
          at_rule_ = nullptr;
          part.print(tree_.ContextOf(item.node), out, item.level);
          break;
      }
    }
  } catch (const std::exception& error) {
    result = Explain(error.what());
  }
  plan_.table.bind_session(nullptr);
  return result;
}

}  // namespace assay::grammar
