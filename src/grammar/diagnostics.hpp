// What is wrong with a specification. Every reader and check adds to one Diagnostics and goes on,
// so that one run shows all errors. A diagnostic has a kind (one row of kDiagnosticKinds, each with
// its own test), a place, the offending text and a hint that says what to do.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/table.hpp"

namespace assay::grammar {

// A stretch of one line of the specification; line and column count from 1.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t length = 0;
};

enum class Severity : uint8_t { Note, Warning, Error };

enum class DiagnosticKind : uint8_t {
  UnexpectedCharacter,
  UnexpectedToken,
  UnterminatedText,
  UnknownEscape,
  BadCharacterLiteral,
  NumberTooLarge,
  NestedTooDeeply,
  NoClass,
  EmptyClass,
  BadTemplate,
  BadRegularExpression,
  DuplicateClass,
  DuplicateAttribute,
  DuplicateProduction,
  DuplicateChild,
  DuplicateLocal,
  DuplicateRule,
  DuplicateUse,
  ReservedChildName,
  UnknownClass,
  UnknownNode,
  UnknownAttribute,
  UnknownLocal,
  UnknownBuiltin,
  UnknownModule,
  UnknownFunction,
  UnknownType,
  MissingType,
  GuardWithType,
  ModuleNotFound,
  NotASource,
  NotATarget,
  MissingRule,
  MisplacedValue,
  MisplacedGenerator,
  GeneratorSource,
  UnknownAnnotation,
  MisplacedAnnotation,
  AnnotationArguments,
  DuplicateAnnotation,
  CopyWithoutEffect,
  ListWithoutSelf,
  ArgumentCount,
  TypeMismatch,
  ForeignTypeMismatch,
  AttributeCycle,
  InfiniteHeight,
  HeightCapTooLow,
  TooLarge,
  UnreachableClass,
  GuardCannotHold,
  WeightWithoutEffect,
  NoProductionLeft,
  UnusedLocal,
  kCount
};

struct DiagnosticKindInfo {
  DiagnosticKind kind;
  Severity severity;
  std::string_view name;
};

inline constexpr std::array kDiagnosticKinds = {
    DiagnosticKindInfo{DiagnosticKind::UnexpectedCharacter, Severity::Error, "unexpected-character"},
    DiagnosticKindInfo{DiagnosticKind::UnexpectedToken, Severity::Error, "unexpected-token"},
    DiagnosticKindInfo{DiagnosticKind::UnterminatedText, Severity::Error, "unterminated-text"},
    DiagnosticKindInfo{DiagnosticKind::UnknownEscape, Severity::Error, "unknown-escape"},
    DiagnosticKindInfo{DiagnosticKind::BadCharacterLiteral, Severity::Error, "bad-character-literal"},
    DiagnosticKindInfo{DiagnosticKind::NumberTooLarge, Severity::Error, "number-too-large"},
    DiagnosticKindInfo{DiagnosticKind::NestedTooDeeply, Severity::Error, "nested-too-deeply"},
    DiagnosticKindInfo{DiagnosticKind::NoClass, Severity::Error, "no-class"},
    DiagnosticKindInfo{DiagnosticKind::EmptyClass, Severity::Error, "empty-class"},
    DiagnosticKindInfo{DiagnosticKind::BadTemplate, Severity::Error, "bad-template"},
    DiagnosticKindInfo{DiagnosticKind::BadRegularExpression, Severity::Error, "bad-regular-expression"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateClass, Severity::Error, "duplicate-class"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateAttribute, Severity::Error, "duplicate-attribute"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateProduction, Severity::Error, "duplicate-production"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateChild, Severity::Error, "duplicate-child"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateLocal, Severity::Error, "duplicate-local"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateRule, Severity::Error, "duplicate-rule"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateUse, Severity::Warning, "duplicate-use"},
    DiagnosticKindInfo{DiagnosticKind::ReservedChildName, Severity::Error, "reserved-child-name"},
    DiagnosticKindInfo{DiagnosticKind::UnknownClass, Severity::Error, "unknown-class"},
    DiagnosticKindInfo{DiagnosticKind::UnknownNode, Severity::Error, "unknown-node"},
    DiagnosticKindInfo{DiagnosticKind::UnknownAttribute, Severity::Error, "unknown-attribute"},
    DiagnosticKindInfo{DiagnosticKind::UnknownLocal, Severity::Error, "unknown-local"},
    DiagnosticKindInfo{DiagnosticKind::UnknownBuiltin, Severity::Error, "unknown-builtin"},
    DiagnosticKindInfo{DiagnosticKind::UnknownModule, Severity::Error, "unknown-module"},
    DiagnosticKindInfo{DiagnosticKind::UnknownFunction, Severity::Error, "unknown-function"},
    DiagnosticKindInfo{DiagnosticKind::UnknownType, Severity::Error, "unknown-type"},
    DiagnosticKindInfo{DiagnosticKind::MissingType, Severity::Error, "missing-type"},
    DiagnosticKindInfo{DiagnosticKind::GuardWithType, Severity::Error, "guard-with-type"},
    DiagnosticKindInfo{DiagnosticKind::ModuleNotFound, Severity::Warning, "module-not-found"},
    DiagnosticKindInfo{DiagnosticKind::NotASource, Severity::Error, "not-a-source"},
    DiagnosticKindInfo{DiagnosticKind::NotATarget, Severity::Error, "not-a-target"},
    DiagnosticKindInfo{DiagnosticKind::MissingRule, Severity::Error, "missing-rule"},
    DiagnosticKindInfo{DiagnosticKind::MisplacedValue, Severity::Error, "misplaced-value"},
    DiagnosticKindInfo{DiagnosticKind::MisplacedGenerator, Severity::Error, "misplaced-generator"},
    DiagnosticKindInfo{DiagnosticKind::GeneratorSource, Severity::Error, "generator-source"},
    DiagnosticKindInfo{DiagnosticKind::UnknownAnnotation, Severity::Error, "unknown-annotation"},
    DiagnosticKindInfo{DiagnosticKind::MisplacedAnnotation, Severity::Error, "misplaced-annotation"},
    DiagnosticKindInfo{DiagnosticKind::AnnotationArguments, Severity::Error, "annotation-arguments"},
    DiagnosticKindInfo{DiagnosticKind::DuplicateAnnotation, Severity::Error, "duplicate-annotation"},
    DiagnosticKindInfo{DiagnosticKind::CopyWithoutEffect, Severity::Warning, "copy-without-effect"},
    DiagnosticKindInfo{DiagnosticKind::ListWithoutSelf, Severity::Error, "list-without-self"},
    DiagnosticKindInfo{DiagnosticKind::ArgumentCount, Severity::Error, "argument-count"},
    DiagnosticKindInfo{DiagnosticKind::TypeMismatch, Severity::Error, "type-mismatch"},
    DiagnosticKindInfo{DiagnosticKind::ForeignTypeMismatch, Severity::Warning, "foreign-type-mismatch"},
    DiagnosticKindInfo{DiagnosticKind::AttributeCycle, Severity::Error, "attribute-cycle"},
    DiagnosticKindInfo{DiagnosticKind::InfiniteHeight, Severity::Error, "infinite-height"},
    DiagnosticKindInfo{DiagnosticKind::HeightCapTooLow, Severity::Error, "height-cap-too-low"},
    DiagnosticKindInfo{DiagnosticKind::TooLarge, Severity::Error, "too-large"},
    DiagnosticKindInfo{DiagnosticKind::UnreachableClass, Severity::Warning, "unreachable-class"},
    DiagnosticKindInfo{DiagnosticKind::GuardCannotHold, Severity::Warning, "guard-cannot-hold"},
    DiagnosticKindInfo{DiagnosticKind::WeightWithoutEffect, Severity::Warning, "weight-without-effect"},
    DiagnosticKindInfo{DiagnosticKind::NoProductionLeft, Severity::Error, "no-production-left"},
    DiagnosticKindInfo{DiagnosticKind::UnusedLocal, Severity::Warning, "unused-local"},
};
static_assert(support::InEnumOrder(kDiagnosticKinds, DiagnosticKind::kCount));

struct Diagnostic {
  DiagnosticKind kind;
  Place place;
  std::string message;
  std::string hint;
};

class Diagnostics {
 public:
  void Add(DiagnosticKind kind, Place place, std::string message, std::string hint = {}) {
    items_.push_back({kind, place, std::move(message), std::move(hint)});
  }
  bool HasErrors() const { return Count(Severity::Error) > 0; }
  size_t Count(Severity severity) const;
  bool Has(DiagnosticKind kind) const;
  const std::vector<Diagnostic>& Items() const { return items_; }

  // In order of place: "file:line:col: error: message [name]", the line with a marker under the
  // text, "hint: ...".
  std::string Render(std::string_view file, std::string_view source) const;

 private:
  std::vector<Diagnostic> items_;
};

inline const DiagnosticKindInfo& InfoOf(DiagnosticKind kind) { return kDiagnosticKinds[static_cast<size_t>(kind)]; }

// The candidate nearest to `name` by edit distance, as "did you mean 'x'?"; empty if none is near.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace assay::grammar
