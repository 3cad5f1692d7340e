#include "grammar/modules.hpp"

#include <algorithm>

#include "support/files.hpp"

namespace assay::grammar {

namespace {

// Comments and preprocessor lines become blanks; the names of quoted includes are collected.
std::string Strip(std::string_view text, std::vector<std::string>& includes) {
  std::string out;
  bool line_start = true;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      out += ' ';
    } else if (line_start && text[i] == '#') {
      size_t end = i;
      while (end < text.size() && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end, text.size());
      std::string_view line = text.substr(i, end - i);
      size_t open = line.find('"');
      if (line.find("include") != std::string_view::npos && open != std::string_view::npos) {
        size_t close = line.find('"', open + 1);
        if (close != std::string_view::npos) {
          includes.emplace_back(line.substr(open + 1, close - open - 1));
        }
      }
      i = end;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      char quote = text[i++];
      while (i < text.size() && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
      ++i;
      out += "\"\"";
      line_start = false;
    } else {
      if (text[i] == '\n') {
        line_start = true;
      } else if (text[i] != ' ' && text[i] != '\t') {
        line_start = false;
      }
      out += text[i++];
    }
  }
  return out;
}

std::vector<std::string> Tokens(std::string_view text) {
  std::vector<std::string> tokens;
  auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (word(text[i])) {
      size_t begin = i;
      while (i < text.size() && word(text[i])) ++i;
      tokens.emplace_back(text.substr(begin, i - begin));
    } else if (text.substr(i, 2) == "::" || text.substr(i, 2) == "->") {
      tokens.emplace_back(text.substr(i, 2));
      i += 2;
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.emplace_back(1, text[i]);
      ++i;
    }
  }
  return tokens;
}

using TokenRange = std::vector<std::string>;

std::string Join(const TokenRange& tokens) {
  std::string out;
  for (const std::string& token : tokens) {
    bool word = std::isalnum(static_cast<unsigned char>(token[0])) || token[0] == '_';
    bool after = !out.empty() && (std::isalnum(static_cast<unsigned char>(out.back())) || out.back() == '_');
    if (word && after) out += ' ';
    out += token;
  }
  return out;
}

bool IsSpecifier(const std::string& token) {
  for (std::string_view word : {"inline", "constexpr", "static", "extern", "const", "consteval", "nodiscard", "[", "]",
                                "&", "volatile", "typename", "noexcept"}) {
    if (token == word) return true;
  }
  return false;
}

bool IsWord(const std::string& token) { return std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_'; }

TokenRange WithoutSpecifiers(const TokenRange& tokens) {
  TokenRange out;
  for (const std::string& token : tokens) {
    if (!IsSpecifier(token)) out.push_back(token);
  }
  return out;
}

// The type of a parameter: the last word is its name if what precedes it is already a type.
TokenRange ParameterType(TokenRange tokens) {
  bool named = false;
  if (tokens.size() >= 2) {
    const std::string& last = tokens.back();
    const std::string& before = tokens[tokens.size() - 2];
    named = IsWord(last) && before != "::" && before != "const" && last != "const";
    for (std::string_view part : {"unsigned", "long", "short", "signed"}) {
      if (before == part && (last == "int" || last == "long" || last == "char" || last == "short")) named = false;
    }
  }
  if (named) tokens.pop_back();
  return WithoutSpecifiers(tokens);
}

// Reads the declarations of one namespace out of a token stream.
class Scanner {
 public:
  Scanner(Module& module, std::map<std::string, std::string>& aliases, const Modules& types)
      : module_(module), aliases_(aliases), types_(types) {}

  void Run(const TokenRange& tokens) {
    std::string scope;
    std::vector<std::string> scopes;
    TokenRange pending;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string& token = tokens[i];
      if (token == ";") {
        if (scope == module_.name) Declare(pending);
        pending.clear();
      } else if (token == "{") {
        if (!pending.empty() && pending[0] == "inline" && pending.size() > 1 && pending[1] == "namespace") {
          pending.erase(pending.begin());
        }
        if (!pending.empty() && pending[0] == "namespace") {
          scopes.push_back(scope);
          std::string name = Join(TokenRange(pending.begin() + 1, pending.end()));
          scope = scope.empty() ? name : scope + "::" + name;
          pending.clear();
          continue;
        }
        bool function = std::ranges::find(pending, "(") != pending.end();
        bool initialiser = std::ranges::find(pending, "=") != pending.end() && !function;
        if (scope == module_.name) Declare(pending);
        int depth = 1;
        while (depth > 0 && ++i < tokens.size()) {
          if (tokens[i] == "{") ++depth;
          if (tokens[i] == "}") --depth;
        }
        // A type or an initialiser goes on to its ';', which then ends an empty declaration.
        (void)initialiser;
        pending.clear();
      } else if (token == "}") {
        if (!scopes.empty()) {
          scope = scopes.back();
          scopes.pop_back();
        }
        pending.clear();
      } else {
        pending.push_back(token);
      }
    }
  }

 private:
  void Declare(const TokenRange& tokens) {
    if (tokens.empty()) return;
    if (tokens[0] == "using" && tokens.size() >= 4 && tokens[2] == "=") {
      module_.types.insert(tokens[1]);
      aliases_[tokens[1]] = Join(TokenRange(tokens.begin() + 3, tokens.end()));
      return;
    }
    if (tokens[0] == "using") {
      if (tokens.size() >= 3 && tokens[1] != "namespace") {
        module_.types.insert(tokens.back());
        module_.functions.emplace(tokens.back(), Signature{{}, {}, 0, true, tokens.back()});
      }
      return;
    }
    if (tokens[0] == "typedef") {
      if (tokens.size() >= 3) module_.types.insert(tokens.back());
      return;
    }
    if (tokens[0] == "struct" || tokens[0] == "class" || tokens[0] == "enum" || tokens[0] == "union") {
      size_t name = 1;
      if (name < tokens.size() && (tokens[name] == "class" || tokens[name] == "struct")) ++name;
      bool function = std::ranges::find(tokens, "(") != tokens.end();
      if (name < tokens.size() && !function) module_.types.insert(tokens[name]);
      return;
    }
    if (tokens[0] == "template") {
      DeclareTemplate(tokens);
      return;
    }
    DeclareFunction(tokens);
  }

  // A word followed by '(' at the top level.
  static size_t FindName(const TokenRange& tokens) {
    int angle = 0;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i] == "<") ++angle;
      if (tokens[i] == ">") --angle;
      if (tokens[i] == "=" && angle <= 0) break;
      if (tokens[i] == "operator") break;
      if (angle <= 0 && tokens[i + 1] == "(" && IsWord(tokens[i]) && i > 0) return i;
    }
    return 0;
  }

  void DeclareTemplate(const TokenRange& tokens) {
    size_t name = FindName(tokens);
    if (name > 0) {
      module_.functions.emplace(tokens[name], Signature{{}, {}, 0, true, Join(tokens)});
      return;
    }
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i] == "struct" || (tokens[i] == "class" && i > 2)) module_.types.insert(tokens[i + 1]);
      if (tokens[i] == "using") module_.types.insert(tokens[i + 1]);
    }
  }

  void DeclareFunction(const TokenRange& tokens) {
    size_t name = FindName(tokens);
    if (name == 0) return;
    Signature signature;
    TokenRange result = WithoutSpecifiers(TokenRange(tokens.begin(), tokens.begin() + static_cast<ptrdiff_t>(name)));
    signature.result = types_.Canonical(Join(result));
    int depth = 0;
    TokenRange parameter;
    bool defaulted = false;
    auto finish = [&] {
      if (parameter.empty()) return;
      signature.parameters.push_back(types_.Canonical(Join(ParameterType(parameter))));
      if (!defaulted) signature.required = signature.parameters.size();
      parameter.clear();
      defaulted = false;
    };
    size_t i = name + 1;
    for (; i < tokens.size(); ++i) {
      const std::string& token = tokens[i];
      if (token == "(" || token == "<" || token == "[") ++depth;
      if (token == ")" || token == ">" || token == "]") --depth;
      if (depth == 0) break;
      if (depth == 1 && token == "(" && parameter.empty()) continue;
      if (depth == 1 && token == ",") {
        finish();
      } else if (depth == 1 && token == "=") {
        defaulted = true;
      } else if (token == ".") {
        signature.any = true;  // variadic
      } else if (!defaulted) {
        parameter.push_back(token);
      }
    }
    finish();
    signature.shown =
        Join(TokenRange(tokens.begin(), tokens.begin() + static_cast<ptrdiff_t>(std::min(i + 1, tokens.size()))));
    module_.functions.emplace(tokens[name], std::move(signature));
  }

  Module& module_;
  std::map<std::string, std::string>& aliases_;
  const Modules& types_;
};

// One name for all types that LaLa does not tell apart.
TypeName Merged(const std::string& name) {
  for (std::string_view any : {"", "auto", "Object", "void"}) {
    if (name == any) return {};
  }
  if (name == "bool" || name == "boolean" || name == "Boolean") return "Boolean";
  for (std::string_view integer :
       {"int", "Integer", "Int", "long", "Long", "int64_t", "int32_t", "uint32_t", "uint64_t", "size_t", "unsigned",
        "long long", "unsigned int", "unsigned long", "short", "int16_t", "uint16_t", "int8_t", "uint8_t"}) {
    if (name == integer) return "Integer";
  }
  if (name == "char" || name == "Character") return "Character";
  if (name == "double" || name == "float" || name == "Double" || name == "Float") return "Double";
  return name;
}

std::string ReadWithIncludes(const std::filesystem::path& header, const std::vector<std::filesystem::path>& folders,
                             std::set<std::string>& seen) {
  if (!seen.insert(header.string()).second || seen.size() > 100) return {};
  support::Result<std::string> text = support::ReadFile(header);
  if (!text) return {};
  std::vector<std::string> includes;
  std::string stripped = Strip(*text, includes);
  std::string out;
  for (const std::string& include : includes) {
    std::vector<std::filesystem::path> places = folders;
    places.insert(places.begin(), header.parent_path());
    for (const std::filesystem::path& folder : places) {
      std::error_code error;
      if (std::filesystem::is_regular_file(folder / include, error)) {
        out += ReadWithIncludes(folder / include, folders, seen);
        break;
      }
    }
  }
  return out + stripped;
}

}  // namespace

bool IsPrimitive(const TypeName& type) {
  return type == "Boolean" || type == "Integer" || type == "String" || type == "Node" || type == "Character" ||
         type == "Double";
}

bool Modules::Load(const std::string& name, const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    std::filesystem::path header = folder / (name + ".hpp");
    std::error_code error;
    if (!std::filesystem::is_regular_file(header, error)) continue;
    std::set<std::string> seen;
    Scan(name, ReadWithIncludes(header, folders, seen));
    modules_[name].header = header;
    return true;
  }
  return false;
}

void Modules::Scan(const std::string& name, std::string_view text) {
  Module& module = modules_[name];
  module.name = name;
  std::vector<std::string> ignored;
  module.text = Strip(text, ignored);
  TokenRange tokens = Tokens(module.text);
  // Twice: the first pass learns the aliases that the second resolves.
  Scanner(module, aliases_, *this).Run(tokens);
  module.functions.clear();
  Scanner(module, aliases_, *this).Run(tokens);
}

const Module* Modules::Find(const std::string& name) const {
  auto found = modules_.find(name);
  return found == modules_.end() ? nullptr : &found->second;
}

bool Modules::HasType(const std::string& name) const {
  return std::ranges::any_of(modules_, [&](const auto& entry) { return entry.second.types.contains(name); });
}

TypeName Modules::Canonical(std::string_view written) const {
  TokenRange tokens = WithoutSpecifiers(Tokens(written));
  for (int round = 0; round < 20; ++round) {
    TokenRange out;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i + 1 < tokens.size() && tokens[i + 1] == "::") {
        ++i;
      } else {
        out.push_back(tokens[i]);
      }
    }
    bool changed = false;
    tokens.clear();
    for (const std::string& token : out) {
      auto alias = aliases_.find(token);
      if (alias != aliases_.end() && alias->second != token && tokens.size() < 200) {
        for (const std::string& part : WithoutSpecifiers(Tokens(alias->second))) tokens.push_back(part);
        changed = true;
      } else {
        tokens.push_back(token);
      }
    }
    if (!changed) break;
  }
  // Inside angle brackets, a type at a time; the whole otherwise ("unsigned long" is one type).
  if (tokens.size() > 3 && tokens[1] == "<") {
    for (std::string& token : tokens) token = IsWord(token) ? Merged(token) : token;
    return Join(tokens);
  }
  return Merged(Join(tokens));
}

}  // namespace assay::grammar
