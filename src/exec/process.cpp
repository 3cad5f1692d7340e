#include "exec/process.hpp"

#include <fmt/format.h>
#include <string.h>

#include "support/check.hpp"

namespace assay::exec {

std::string SignalName(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("SIG{}", signal) : fmt::format("SIG{}", name);
}

std::string Describe(const Observation& observation) {
  switch (observation.ending) {
    case Ending::Exited: return fmt::format("exit {}", observation.exit_code);
    case Ending::Signaled: return fmt::format("signal {} ({})", observation.signal, SignalName(observation.signal));
    case Ending::TimedOut: return fmt::format("timed out after {:.1f} s", observation.wall_seconds);
    case Ending::OutputLimit: return "wrote too much output";
    case Ending::FileLimit: return "wrote too large a file";
    case Ending::MemoryLimit: return "used too much memory";
    case Ending::ProcessLimit: return "started too many processes";
    case Ending::Starved:
      return fmt::format("the machine is too busy: {:.1f} s of a processor in {:.1f} s", observation.cpu_seconds,
                         observation.wall_seconds);
    case Ending::NotStarted: return observation.stderr_text;
    case Ending::kCount: break;
  }
  CHECK(false);
  return {};
}

}  // namespace assay::exec
