// What the run-time modules of a specification offer, read off their C++ headers without a C++
// compiler: the types and the free functions of namespace X in X.hpp. Only simple declarations are
// understood; whatever is not (templates, macros, auto) is "any" and never leads to an error.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grammar/specification.hpp"

namespace assay::grammar {

struct Signature {
  TypeName result;
  std::vector<TypeName> parameters;
  size_t required = 0;  // parameters without a default
  bool any = false;     // not understood: fits every call
  std::string shown;    // as declared, for messages
};

struct Module {
  std::string name;
  std::filesystem::path header;
  std::multimap<std::string, Signature> functions;
  std::set<std::string> types;
  std::string text;  // the header with the headers it includes, without comments
};

class Modules {
 public:
  // Looks for NAME.hpp in `folders`, in order; adds the module if it is found and readable.
  bool Load(const std::string& name, const std::vector<std::filesystem::path>& folders);
  // The same for a header that is already read.
  void Scan(const std::string& name, std::string_view text);

  const Module* Find(const std::string& name) const;
  const std::map<std::string, Module>& All() const { return modules_; }

  bool HasType(const std::string& name) const;

  // The canonical name of a C++ or LaLa type: qualifiers dropped, integer types merged, aliases
  // followed.
  TypeName Canonical(std::string_view written) const;

 private:
  std::map<std::string, Module> modules_;
  std::map<std::string, std::string> aliases_;
};

// Is this one of the types every specification has?
bool IsPrimitive(const TypeName& type);

}  // namespace assay::grammar
