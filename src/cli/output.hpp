// Standard output and standard error of all commands: nothing else in this room writes there.
//
// No write to standard output fails unnoticed. Say ends the command at once when it cannot write; the process then ends
// with code 3 and the reason, or, when the reader has left (`| head`), quietly as other tools do.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string_view>

namespace assay::cli {

// Thrown by Say and FlushOutput, caught by Run alone.
struct OutputLost {};

void SayText(std::string_view text);
void FlushOutput();

template <typename... Arguments>
void Say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  SayText(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// For people, on standard error. A failure to write it is nothing that could be told.
void WarnText(std::string_view text);

template <typename... Arguments>
void Warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  WarnText(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// From now on nothing is thrown: `lost` is called once, from the thread that could not write. For a command that prints
// from several threads and has things to put in order before it ends.
void OnOutputLost(std::function<void()> lost);

// Writes what is still to be written. The exit code of the process: `code`, or 3 with a message when not all output was
// written. Without a code the command was ended by the loss.
int FinishOutput(std::optional<int> code);

}  // namespace assay::cli
