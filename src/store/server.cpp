#include "store/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace assay::store {
namespace {

constexpr std::string_view kScheme = "postgresql://";

// password, sslpassword, and whatever comes.
bool IsSecret(std::string_view key) { return key.find("password") != std::string_view::npos; }

bool IsKeyCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view WithoutBlanks(std::string_view text) {
  size_t at = text.find_first_not_of(" \t\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// The key in front of a '=' and what follows it; nothing when the text does not begin so.
std::optional<std::pair<std::string_view, std::string_view>> Key(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && IsKeyCharacter(text[end])) ++end;
  std::string_view rest = WithoutBlanks(text.substr(end));
  if (end == 0 || !rest.starts_with('=')) return {};
  return std::pair(text.substr(0, end), WithoutBlanks(rest.substr(1)));
}

// How long the value at the front is, and what it means: bare up to a blank, or in quotes.
std::optional<std::pair<size_t, std::string>> PairValue(std::string_view text) {
  bool quoted = text.starts_with('\'');
  std::string value;
  size_t at = quoted ? 1 : 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (quoted ? c == '\'' : std::isspace(static_cast<unsigned char>(c)) != 0) return std::pair(at + quoted, value);
    if (c == '\\' && at + 1 < text.size()) c = text[++at];
    value += c;
  }
  if (quoted) return {};
  return std::pair(at, value);
}

std::string Encoded(std::string_view text) {
  std::string encoded;
  for (char c : text) {
    if (IsKeyCharacter(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

// The driver gets a URL: SOCI takes a text of pairs apart and loses quotes.
support::Result<ServerAddress> ParsePairs(std::string_view pairs) {
  ServerAddress address{.connection = std::string(kScheme) + "/", .shown = std::string(kScheme)};
  char separator = '?';
  bool first = true;
  for (std::string_view rest = WithoutBlanks(pairs); !rest.empty();) {
    auto key = Key(rest);
    auto value = key ? PairValue(key->second) : std::nullopt;
    if (!value) return support::UsageError("the address of the database cannot be read: give key=value pairs");
    std::string_view text = key->second.substr(0, value->first);
    address.connection += separator + std::string(key->first) + "=" + Encoded(value->second);
    separator = '&';
    if (IsSecret(key->first)) {
      address.secrets.insert(address.secrets.end(), {value->second, Encoded(value->second)});
    } else {
      address.shown += (first ? "" : " ") + std::string(key->first) + "=" + std::string(text);
      first = false;
    }
    rest = WithoutBlanks(key->second.substr(value->first));
  }
  return address;
}

std::string Decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
        std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0) {
      decoded += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

support::Result<ServerAddress> ParseUrl(std::string_view url) {
  // What follows an '@', '/' or '?' of a password would be taken for a part of the address, and shown.
  const size_t user_end = url.find('@');
  if (user_end != url.rfind('@') || (user_end != url.npos && url.find_first_of("/?", kScheme.size()) < user_end)) {
    return support::UsageError(
        "the address of the database cannot be read: write '@', '/' and '?' in a user's name or password as %40, %2F "
        "and "
        "%3F");
  }
  ServerAddress address{.connection = std::string(url)};
  auto hide = [&](std::string_view secret) {
    if (!secret.empty()) address.secrets.insert(address.secrets.end(), {Decoded(secret), std::string(secret)});
  };
  std::string_view rest = url.substr(kScheme.size());
  size_t authority_end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, authority_end);
  size_t at = authority.rfind('@');
  address.shown = kScheme;
  if (at != std::string_view::npos) {
    std::string_view user = authority.substr(0, at);
    size_t colon = user.find(':');
    if (colon != std::string_view::npos) hide(user.substr(colon + 1));
    address.shown += user.substr(0, colon);
    address.shown += authority.substr(at);
  } else {
    address.shown += authority;
  }
  rest.remove_prefix(authority_end);
  size_t question = std::min(rest.find('?'), rest.size());
  address.shown += rest.substr(0, question);
  char separator = '?';
  while (question < rest.size()) {
    size_t end = std::min(rest.find('&', question + 1), rest.size());
    std::string_view pair = rest.substr(question + 1, end - question - 1);
    question = end;
    const size_t equals = std::min(pair.find('='), pair.size());
    if (IsSecret(Decoded(pair.substr(0, equals)))) {
      hide(pair.substr(std::min(pair.size(), equals + 1)));
      continue;
    }
    address.shown += separator;
    address.shown += pair;
    separator = '&';
  }
  // SOCI takes a text without a '=' for a key, and adds one at its end.
  if (url.find('=') == std::string_view::npos)
    address.connection += std::string(1, separator) + "application_name=assay";
  return address;
}

}  // namespace

std::string ServerAddress::Redact(std::string message) const {
  constexpr std::string_view kHidden = "***";
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (size_t at = 0; (at = message.find(secret, at)) != std::string::npos; at += kHidden.size()) {
      message.replace(at, secret.size(), kHidden);
    }
  }
  return message;
}

bool IsServer(std::string_view place) { return place.starts_with(kScheme); }

support::Result<ServerAddress> ParseServer(std::string_view url) {
  if (!IsServer(url)) return support::UsageError("the URL of a database begins with postgresql://");
  std::string_view rest = url.substr(kScheme.size());
  if (rest.empty() || Key(WithoutBlanks(rest))) return ParsePairs(rest);
  return ParseUrl(url);
}

}  // namespace assay::store
