#include "report/bundle.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "report/description.hpp"
#include "report/repro.hpp"
#include "report/upstream.hpp"
#include "report/words.hpp"
#include "support/files.hpp"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr const char* kPartial = "partial";
constexpr const char* kSame = "same";

// Everything here can be written again from the store: nothing needs to survive the machine.
Result<void> Write(const fs::path& path, std::string_view text) {
  return support::WriteFile(path, text, support::Durability::Process);
}

// Only when it says something new.
Result<void> Refresh(const fs::path& path, const std::string& text) {
  auto there = support::ReadFile(path);
  return there && *there == text ? Result<void>() : Write(path, text);
}

Result<void> WriteDescriptions(const fs::path& folder, const store::Bug& bug) {
  RETURN_IF_ERROR(Refresh(folder / "bug.json", BugJson(bug)));
  RETURN_IF_ERROR(Refresh(folder / "bug.md", BugMarkdown(bug)));
  if (!IsReduced(bug)) return {};
  const UpstreamReport upstream = ReportFor(bug);
  return Refresh(folder / upstream.file, upstream.text);
}

Result<void> WriteScript(const fs::path& path, const std::string& text) {
  RETURN_IF_ERROR(Refresh(path, text));
  std::error_code code;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add,
                  code);
  return {};
}

// repro.sh shows the small program as soon as there is one.
Result<void> WriteScripts(const fs::path& folder, const store::Bug& bug) {
  std::string original = ReproScript(bug, Form::Original);
  if (!IsReduced(bug)) return WriteScript(folder / "repro.sh", original);
  RETURN_IF_ERROR(WriteScript(folder / "repro-original.sh", original));
  return WriteScript(folder / "repro.sh", ReproScript(bug, Form::Reduced));
}

Result<void> WriteAll(const fs::path& folder, const store::Bug& bug) {
  RETURN_IF_ERROR(support::MakeFolder(folder));
  for (const store::BugFile& file : bug.files) {
    RETURN_IF_ERROR(Write(folder / SafeName(file.name), file.content));
  }
  RETURN_IF_ERROR(WriteScripts(folder, bug));
  return WriteDescriptions(folder, bug);
}

bool IsWhole(const fs::path& folder, const store::BugFile& file) {
  std::error_code code;
  auto size = fs::file_size(folder / SafeName(file.name), code);
  return !code && size == file.content.size();
}

// What may have come since the folder was written, or was lost.
Result<void> Update(const fs::path& folder, const store::Bug& bug) {
  for (const store::BugFile& file : bug.files) {
    if (!file.role.starts_with("reduced") && IsWhole(folder, file)) continue;
    RETURN_IF_ERROR(Refresh(folder / SafeName(file.name), file.content));
  }
  RETURN_IF_ERROR(WriteScripts(folder, bug));
  return WriteDescriptions(folder, bug);
}

}  // namespace

bool HasBundle(const store::Bug& bug) { return bug.known == 0 && (bug.IsEntry() || IsReduced(bug)); }

fs::path BundleFolder(const fs::path& campaign, const store::Bug& bug) {
  const char* bucket = bug.kind == "suspect" ? "suspects" : bug.kind == "flaky" ? "flaky" : "bugs";
  return campaign / (bug.IsEntry() ? bucket : kSame) / SafeName(bug.name);
}

Result<void> WriteBundle(const fs::path& campaign, const store::Bug& bug) {
  std::error_code code;
  if (bug.known != 0) {  // it had one until it was recognised
    for (const char* bucket : {"bugs", kSame}) {
      fs::remove_all(campaign / bucket / SafeName(bug.name), code);
      fs::remove(campaign / bucket, code);  // only if it is empty
    }
  }
  if (!HasBundle(bug)) return {};
  fs::path folder = BundleFolder(campaign, bug);
  // It was in the other place before more was known of it.
  const char* elsewhere = bug.IsEntry() ? kSame : "bugs";
  fs::remove_all(campaign / elsewhere / SafeName(bug.name), code);
  if (bug.IsEntry()) fs::remove(campaign / kSame, code);  // only if it is empty
  if (fs::exists(folder, code)) return Update(folder, bug);
  fs::path partial = campaign / kPartial / fmt::format("{}.{}.{}", SafeName(bug.name), ::gettid(), ::getpid());
  auto written = WriteAll(partial, bug);
  // Another process that ends may just have removed the common folder: it was empty.
  if (!written && !fs::exists(partial, code)) written = WriteAll(partial, bug);
  if (written) written = support::MakeFolder(folder.parent_path());
  if (written) {
    fs::rename(partial, folder, code);
    // Another process may have been faster; its folder says the same.
    if (code && !fs::exists(folder)) {
      written = support::EnvironmentError(fmt::format("cannot write {}: {}", folder.string(), code.message()));
    }
  }
  fs::remove_all(partial, code);
  return written;
}

bool BundleIsComplete(const fs::path& campaign, const store::Bug& bug) {
  fs::path folder = BundleFolder(campaign, bug);
  std::error_code code;
  auto written = [&](const char* name) { return fs::file_size(folder / name, code) > 0 && !code; };
  return std::all_of(bug.files.begin(), bug.files.end(), [&](const auto& file) { return IsWhole(folder, file); }) &&
         written("repro.sh") && written("bug.md") && written("bug.json") &&
         (!IsReduced(bug) || written("repro-original.sh"));
}

void RemovePartialBundles(const fs::path& campaign) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(campaign / kPartial, code)) {
    std::string extension = entry.path().extension().string();
    pid_t pid = 0;
    if (extension.size() > 1) std::from_chars(extension.data() + 1, extension.data() + extension.size(), pid);
    if (pid > 0 && ::kill(pid, 0) == 0) continue;
    fs::remove_all(entry.path(), code);
  }
  fs::remove(campaign / kPartial, code);  // only if it is empty
}

}  // namespace assay::report
