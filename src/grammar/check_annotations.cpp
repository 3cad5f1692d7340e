// Annotations: known, in their place, once, with the right arguments; their effect on classes and
// productions.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grammar/check.hpp"

namespace assay::grammar {

namespace {

enum class AnnotationKind : uint8_t {
  Weight,
  Feature,
  Precedence,
  List,
  Unit,
  Count,
  MaxHeight,
  MaxAlternatives,
  Hidden,
  Copy,
  kCount
};

enum class Arguments : uint8_t { None, Number, OptionalNumber, Text, Names };

struct AnnotationInfo {
  AnnotationKind kind;
  std::string_view name;
  bool on_class;
  bool on_production;
  Arguments arguments;
  int64_t least;
  std::string_view form;
};

constexpr std::array kAnnotations = {
    AnnotationInfo{AnnotationKind::Weight, "weight", false, true, Arguments::Number, 0, "@weight(3)"},
    AnnotationInfo{AnnotationKind::Feature, "feature", false, true, Arguments::Text, 0, "@feature(\"a,b\")"},
    AnnotationInfo{AnnotationKind::Precedence, "precedence", false, true, Arguments::Number, INT64_MIN,
                   "@precedence(4)"},
    AnnotationInfo{AnnotationKind::List, "list", true, false, Arguments::OptionalNumber, 1, "@list or @list(10)"},
    AnnotationInfo{AnnotationKind::Unit, "unit", true, false, Arguments::None, 0, "@unit"},
    AnnotationInfo{AnnotationKind::Count, "count", true, false, Arguments::Number, 1, "@count(50)"},
    AnnotationInfo{AnnotationKind::MaxHeight, "max_height", true, false, Arguments::Number, 1, "@max_height(5)"},
    AnnotationInfo{AnnotationKind::MaxAlternatives, "max_alternatives", true, false, Arguments::Number, 1,
                   "@max_alternatives(100)"},
    AnnotationInfo{AnnotationKind::Hidden, "hidden", true, true, Arguments::None, 0, "@hidden"},
    AnnotationInfo{AnnotationKind::Copy, "copy", true, true, Arguments::Names, 0, "@copy or @copy(a, b)"},
};
static_assert(support::InEnumOrder(kAnnotations, AnnotationKind::kCount));

const AnnotationInfo* FindInfo(std::string_view name) {
  for (const AnnotationInfo& info : kAnnotations) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

bool GoodArguments(const AnnotationInfo& info, const Annotation& annotation) {
  auto number = [&](const AnnotationArgument& argument) {
    return argument.kind == AnnotationArgument::Kind::Number && argument.number >= info.least &&
           (argument.number <= 1'000'000'000 || info.kind == AnnotationKind::Precedence);
  };
  const std::vector<AnnotationArgument>& arguments = annotation.arguments;
  switch (info.arguments) {
    case Arguments::None: return arguments.empty();
    case Arguments::Number: return arguments.size() == 1 && number(arguments[0]);
    case Arguments::OptionalNumber: return arguments.empty() || (arguments.size() == 1 && number(arguments[0]));
    case Arguments::Text: return arguments.size() == 1 && arguments[0].kind == AnnotationArgument::Kind::Text;
    case Arguments::Names:
      return std::ranges::all_of(arguments, [](const AnnotationArgument& argument) {
        return argument.kind != AnnotationArgument::Kind::Number;
      });
  }
  return false;
}

// Reports what is wrong with `annotations`; calls `apply` for each that is right.
template <typename Apply>
void Visit(const std::vector<Annotation>& annotations, bool on_class, Diagnostics& diagnostics, Apply apply) {
  for (size_t i = 0; i < annotations.size(); ++i) {
    const Annotation& annotation = annotations[i];
    const AnnotationInfo* info = FindInfo(annotation.name);
    if (!info) {
      std::vector<std::string> names;
      for (const AnnotationInfo& known : kAnnotations) names.emplace_back(known.name);
      diagnostics.Add(DiagnosticKind::UnknownAnnotation, annotation.place,
                      fmt::format("unknown annotation @{}", annotation.name), DidYouMean(annotation.name, names));
      continue;
    }
    if (!(on_class ? info->on_class : info->on_production)) {
      std::string_view place = on_class ? "production" : "class";
      diagnostics.Add(DiagnosticKind::MisplacedAnnotation, annotation.place,
                      fmt::format("@{} belongs to a {}", info->name, place),
                      fmt::format("move it before the {}", place));
      continue;
    }
    bool again = std::any_of(annotations.begin(), annotations.begin() + static_cast<ptrdiff_t>(i),
                             [&](const Annotation& other) { return other.name == annotation.name; });
    if (again) {
      diagnostics.Add(DiagnosticKind::DuplicateAnnotation, annotation.place,
                      fmt::format("@{} is given twice", info->name), "keep one");
      continue;
    }
    if (!GoodArguments(*info, annotation)) {
      diagnostics.Add(DiagnosticKind::AnnotationArguments, annotation.place,
                      fmt::format("wrong arguments of @{}", info->name), fmt::format("write {}", info->form));
      continue;
    }
    apply(info->kind, annotation);
  }
}

bool Enabled(std::string_view list, const std::vector<std::string>& features) {
  while (true) {
    size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (std::ranges::find(features, name) != features.end()) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

void ApplyToClass(Class& target, Diagnostics& diagnostics) {
  Visit(target.annotations, true, diagnostics, [&](AnnotationKind kind, const Annotation& annotation) {
    auto number = [&] { return static_cast<uint32_t>(annotation.arguments[0].number); };
    switch (kind) {
      case AnnotationKind::List:
        target.list = true;
        if (!annotation.arguments.empty()) target.list_limit = number();
        break;
      case AnnotationKind::Unit: target.unit = true; break;
      case AnnotationKind::Count:
        target.count = number();
        if (!target.literal) {
          diagnostics.Add(DiagnosticKind::MisplacedAnnotation, annotation.place, "@count belongs to a literal class",
                          "remove it");
        }
        break;
      case AnnotationKind::MaxHeight: target.max_height = number(); break;
      case AnnotationKind::MaxAlternatives: target.max_alternatives = number(); break;
      case AnnotationKind::Hidden: target.hidden = true; break;
      case AnnotationKind::Copy:
      case AnnotationKind::Weight:
      case AnnotationKind::Feature:
      case AnnotationKind::Precedence:
      case AnnotationKind::kCount: break;
    }
  });
}

// False: the production is dropped because its features are not enabled.
bool ApplyToProduction(Production& target, const CheckOptions& options, Diagnostics& diagnostics) {
  bool keep = true;
  Visit(target.annotations, false, diagnostics, [&](AnnotationKind kind, const Annotation& annotation) {
    switch (kind) {
      case AnnotationKind::Weight:
        target.weight = static_cast<uint32_t>(std::min<int64_t>(annotation.arguments[0].number, 1'000'000));
        break;
      case AnnotationKind::Feature:
        if (options.features && !Enabled(annotation.arguments[0].text, *options.features)) keep = false;
        break;
      case AnnotationKind::Precedence: target.precedence = annotation.arguments[0].number; break;
      case AnnotationKind::Hidden: target.hidden = true; break;
      case AnnotationKind::Copy:
      case AnnotationKind::List:
      case AnnotationKind::Unit:
      case AnnotationKind::Count:
      case AnnotationKind::MaxHeight:
      case AnnotationKind::MaxAlternatives:
      case AnnotationKind::kCount: break;
    }
  });
  return keep;
}

void CheckList(const Class& target, Diagnostics& diagnostics) {
  bool self = false;
  bool base = false;
  for (const Production& production : target.productions) {
    bool has =
        std::ranges::any_of(production.children, [&](const Child& child) { return child.class_name == target.name; });
    (has ? self : base) = true;
  }
  if (self && base) return;
  diagnostics.Add(DiagnosticKind::ListWithoutSelf, target.place,
                  fmt::format("@list class {} has no production {}", target.name,
                              self ? "that ends the list" : "with a child of its own class"),
                  "a list has one production that goes on and one that ends it");
}

}  // namespace

void CheckAnnotations(Specification& specification, const CheckOptions& options, Diagnostics& diagnostics) {
  for (Class& target : specification.classes) {
    ApplyToClass(target, diagnostics);
    std::vector<Production> kept;
    bool any = !target.productions.empty();
    for (Production& production : target.productions) {
      if (ApplyToProduction(production, options, diagnostics)) kept.push_back(std::move(production));
    }
    target.productions = std::move(kept);
    bool all_zero =
        std::ranges::all_of(target.productions, [](const Production& production) { return production.weight == 0; });
    if (any && all_zero && !target.damaged) {
      diagnostics.Add(DiagnosticKind::NoProductionLeft, target.place,
                      fmt::format("class {} has no production that may be chosen", target.name),
                      "every production has @weight(0) or needs a @feature that is not enabled");
    } else if (target.list && !target.damaged && !target.literal) {
      CheckList(target, diagnostics);
    }
  }
}

}  // namespace assay::grammar
