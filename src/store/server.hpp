// The address of a PostgreSQL server: what the driver gets, and what people and files may see of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace assay::store {

struct ServerAddress {
  std::string connection;  // for the driver
  std::string shown;       // the same address without a password: for messages and for the campaign's folder
  // Passwords, as they are and as they stand in the address. None: PGPASSWORD or ~/.pgpass may have one.
  std::vector<std::string> secrets;

  // A message of the driver without the secrets.
  std::string Redact(std::string message) const;
};

bool IsServer(std::string_view place);

// Both forms: postgresql://user:password@host:port/name?key=value, and key=value pairs after
// postgresql://. The message of an Error holds nothing of the address.
support::Result<ServerAddress> ParseServer(std::string_view url);

}  // namespace assay::store
