// The filter is a program of the classic BPF: it loads the architecture, goes to the part for it, loads the number and
// compares it with one row after the other. The kernel remembers which numbers are allowed whatever their arguments, so
// the length of the program costs only when it is installed.
#include "exec/syscall_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace assay::exec {
namespace {

constexpr int kNone = -1;  // this architecture has no such call

// The number of a call in 64-bit and in 32-bit programs of the machine.
struct Call {
  int native, compat;
};

// Refused whoever asks: what administers the machine, looks into other processes, or makes namespaces.
constexpr Call kRefused[] = {
    {SYS_process_vm_readv, 347},
    {SYS_process_vm_writev, 348},
    {SYS_kcmp, 349},
    {438, 438},  // pidfd_getfd
    {440, 440},  // process_madvise
    {SYS_unshare, 310},
    {SYS_setns, 346},
    {SYS_pivot_root, 217},
    {SYS_chroot, 61},
    {428, 428},  // open_tree
    {429, 429},  // move_mount
    {430, 430},  // fsopen
    {431, 431},  // fsconfig
    {432, 432},  // fsmount
    {433, 433},  // fspick
    {467, 467},  // open_tree_attr
    {SYS_swapon, 87},
    {SYS_swapoff, 115},
    {SYS_reboot, 88},
    {SYS_kexec_load, 283},
    {SYS_init_module, 128},
    {SYS_delete_module, 129},
    {SYS_finit_module, 350},
    {SYS_add_key, 286},
    {SYS_request_key, 287},
    {SYS_keyctl, 288},
    {SYS_bpf, 357},
    {SYS_perf_event_open, 336},
    {SYS_userfaultfd, 374},
    {SYS_acct, 51},
    {SYS_quotactl, 131},
    {443, 443},  // quotactl_fd
    {SYS_nfsservctl, 169},
    {SYS_settimeofday, 79},
    {SYS_clock_settime, 264},
    {kNone, 404},  // clock_settime64
    {kNone, 25},   // stime
    {SYS_sethostname, 74},
    {SYS_setdomainname, 121},
    {SYS_syslog, 103},
    {SYS_vhangup, 111},
    {SYS_open_by_handle_at, 342},
    {SYS_fanotify_init, 338},
#if defined(__x86_64__)
    {SYS_kexec_file_load, kNone},
    {SYS_iopl, 110},
    {SYS_ioperm, 101},
    {kNone, 113},  // vm86old
    {kNone, 166},  // vm86
    // The same calls of programs with 32-bit pointers (x32), where they have numbers of their own.
    {528, kNone},  // kexec_load
    {539, kNone},  // process_vm_readv
    {540, kNone},  // process_vm_writev
#endif
};

// Refused as if the kernel were older, so that callers use what there was before.
constexpr Call kUnknown[] = {
    {435, 435},  // clone3: its flags are in memory, where a filter cannot look
    {425, 425},  // io_uring_setup: would open files and sockets behind the filter's back
    {426, 426},  // io_uring_enter
    {427, 427},  // io_uring_register
};

constexpr Call kMount = {SYS_mount, 21}, kUnmount = {SYS_umount2, 52}, kSetMountAttributes = {442, 442};
constexpr Call kOldUnmount = {kNone, 22};
constexpr Call kClone = {SYS_clone, 120};
constexpr Call kPtrace = {SYS_ptrace, 26}, kSocket = {SYS_socket, 359}, kSocketPair = {SYS_socketpair, 360};
constexpr Call kSocketCall = {kNone, 102};  // all of the network in one call, its arguments in memory
constexpr Call kIpc[] = {{SYS_shmget, 395}, {SYS_semget, 393}, {SYS_msgget, 399}, {SYS_mq_open, 277}, {kNone, 117}};
constexpr Call kTruncate[] = {{SYS_truncate, 92}, {kNone, 193}};
// Those whose first argument is a process or a group: to be signalled, or to have its limits or its share of the
// processor changed.
constexpr Call kOnProcesses[] = {
    {SYS_kill, 37},
    {SYS_tkill, 238},
    {SYS_tgkill, 270},
    {SYS_rt_sigqueueinfo, 178},
    {SYS_rt_tgsigqueueinfo, 335},
    {434, 434},  // pidfd_open
    {SYS_prlimit64, 340},
    {SYS_sched_setaffinity, 241},
    {SYS_sched_setscheduler, 156},
    {SYS_sched_setparam, 154},
    {SYS_sched_setattr, 351},
    {SYS_migrate_pages, 294},
    {SYS_move_pages, 317},
};

// Whose second argument is a process, a group or a user, as the first one says. 0 is the caller.
constexpr Call kPriorities[] = {{SYS_setpriority, 97}, {SYS_ioprio_set, 289}};

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
constexpr uint32_t kNewNamespaces = 0x7e020000;

constexpr uint32_t kX32 = 0x40000000;  // marks the calls of x32 programs

#if defined(__x86_64__)
constexpr uint32_t kNativeArchitecture = AUDIT_ARCH_X86_64;
constexpr uint32_t kCompatArchitecture = AUDIT_ARCH_I386;
#elif defined(__aarch64__)
constexpr uint32_t kNativeArchitecture = AUDIT_ARCH_AARCH64;
constexpr uint32_t kCompatArchitecture = 0;
#else
#error "say here what the architecture of this machine is called"
#endif

class Assembler {
 public:
  const std::vector<sock_filter>& Code() const { return code_; }
  size_t Size() const { return code_.size(); }
  // Jumps from an instruction made by Jump to the next one that is added.
  void Land(size_t jump) { code_[jump].k = static_cast<uint32_t>(code_.size() - jump - 1); }

  void Load(size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  void LoadNumber() { Load(offsetof(seccomp_data, nr)); }
  // The low half: all we look at are numbers and flags of 32 bits. (Both architectures are little-endian.)
  void LoadArgument(int index) { Load(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(index)); }
  void Mask(uint32_t bits) { Add(BPF_ALU | BPF_AND | BPF_K, bits); }
  size_t Jump() { return Add(BPF_JMP | BPF_JA, 0); }
  void Return(uint32_t action) { Add(BPF_RET | BPF_K, action); }
  void Refuse(int error) { Return(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)); }
  // The next `count` instructions only if the value is (not) this one.
  void IfEqual(uint32_t value, uint8_t count) { Add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count); }
  void IfNotEqual(uint32_t value, uint8_t count) { Add(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0); }
  void IfAnyBit(uint32_t bits, uint8_t count) { Add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count); }

 private:
  size_t Add(int code, uint32_t k, uint8_t if_true = 0, uint8_t if_false = 0) {
    code_.push_back({static_cast<uint16_t>(code), if_true, if_false, k});
    return code_.size() - 1;
  }
  std::vector<sock_filter> code_;
};

// The part of the program for one architecture; the accumulator holds the number of the call, and does again after each
// row that does not apply.
class Part {
 public:
  Part(Assembler& out, const SyscallFilter& filter, bool compat) : out_(out), filter_(filter), compat_(compat) {}

  void Write() {
    out_.LoadNumber();
    if (!compat_ && kNativeArchitecture == AUDIT_ARCH_X86_64) out_.Mask(~kX32);
    for (const Call& call : kRefused) Refuse(call, EPERM);
    for (const Call& call : kUnknown) Refuse(call, ENOSYS);
    WriteMounts();
    WriteTracing();
    WriteSockets();
    if (!filter_.own_ipc) {
      for (const Call& call : kIpc) Refuse(call, EPERM);
    }
    if (filter_.no_truncate) {
      for (const Call& call : kTruncate) Refuse(call, EACCES);
    }
    When(kClone, [&] {
      out_.LoadArgument(0);
      out_.IfAnyBit(kNewNamespaces, 1);
      out_.Refuse(EPERM);
    });
    for (const Call& call : kOnProcesses) WriteOnProcess(call);
    for (const Call& call : kPriorities) WriteOwnOnly(call);
    out_.Return(SECCOMP_RET_ALLOW);
  }

 private:
  int Number(const Call& call) const { return compat_ ? call.compat : call.native; }

  void Refuse(const Call& call, int error) {
    if (Number(call) == kNone) return;
    out_.IfEqual(static_cast<uint32_t>(Number(call)), 1);
    out_.Refuse(error);
  }

  // For one call: what `write` adds, then it is allowed.
  template <typename Writer>
  void When(const Call& call, Writer write) {
    if (Number(call) == kNone) return;
    out_.IfNotEqual(static_cast<uint32_t>(Number(call)), 1);
    const size_t past = out_.Jump();
    write();
    out_.Return(SECCOMP_RET_ALLOW);
    out_.Land(past);
  }

  void WriteMounts() {
    if (filter_.may_mount) return;
    for (const Call& call : {kMount, kUnmount, kOldUnmount, kSetMountAttributes}) Refuse(call, EPERM);
  }

  void WriteTracing() {
    constexpr int kX32Ptrace = 521;
    if (!compat_ && kNativeArchitecture == AUDIT_ARCH_X86_64) Refuse({kX32Ptrace, kNone}, EPERM);
    if (!filter_.may_trace) return Refuse(kPtrace, EPERM);
    When(kPtrace, [&] {
      constexpr uint32_t kGetRegisters = 12, kGetRegisterSet = 0x4204;
      out_.LoadArgument(0);
      for (uint32_t request : {static_cast<uint32_t>(PTRACE_ATTACH), static_cast<uint32_t>(PTRACE_DETACH),
                               static_cast<uint32_t>(PTRACE_CONT), kGetRegisters, kGetRegisterSet}) {
        out_.IfEqual(request, 1);
        out_.Return(SECCOMP_RET_ALLOW);
      }
      out_.Refuse(EPERM);
    });
  }

  void WriteSockets() {
    if (filter_.network) return;
    Refuse(kSocketCall, EACCES);
    auto only_local = [&] {
      out_.LoadArgument(0);
      out_.IfNotEqual(AF_UNIX, 1);
      out_.Refuse(EACCES);
    };
    // Datagrams could be sent to an address also over one of a pair.
    When(kSocketPair, [&] {
      only_local();
      out_.LoadArgument(1);
      out_.Mask(0xf);
      for (uint32_t type : {SOCK_STREAM, SOCK_SEQPACKET}) {
        out_.IfEqual(type, 1);
        out_.Return(SECCOMP_RET_ALLOW);
      }
      out_.Refuse(EACCES);
    });
    if (filter_.local_sockets) {
      When(kSocket, only_local);
    } else {
      Refuse(kSocket, EACCES);
    }
  }

  void WriteOnProcess(const Call& call) {
    if (filter_.untouchable.empty()) return;
    When(call, [&] {
      out_.LoadArgument(0);
      auto refuse = [&](pid_t pid) {
        out_.IfEqual(static_cast<uint32_t>(pid), 1);
        out_.Refuse(EPERM);
      };
      if (!filter_.may_signal_all) refuse(-1);
      for (pid_t pid : filter_.untouchable) {
        refuse(pid);
        if (!filter_.may_signal_all) refuse(-pid);
      }
    });
  }

  // Of the caller, or of its group, which is the command's.
  void WriteOwnOnly(const Call& call) {
    When(call, [&] {
      const bool of_disks = call.native == SYS_ioprio_set;  // it counts from one
      out_.LoadArgument(0);
      out_.IfEqual(of_disks ? 3 : PRIO_USER, 1);
      out_.Refuse(EPERM);
      out_.LoadArgument(1);
      out_.IfNotEqual(0, 1);
      out_.Refuse(EPERM);
    });
  }

  Assembler& out_;
  const SyscallFilter& filter_;
  const bool compat_;
};

std::vector<sock_filter> Assemble(const SyscallFilter& filter) {
  Assembler out;
  out.Load(offsetof(seccomp_data, arch));
  out.IfEqual(kNativeArchitecture, 1);
  const size_t to_native = out.Jump();
  size_t to_compat = 0;
  if (kCompatArchitecture != 0) {
    out.IfEqual(kCompatArchitecture, 1);
    to_compat = out.Jump();
  }
  out.Return(SECCOMP_RET_KILL_PROCESS);  // calls we cannot name
  out.Land(to_native);
  Part(out, filter, false).Write();
  if (kCompatArchitecture != 0) {
    out.Land(to_compat);
    Part(out, filter, true).Write();
  }
  return out.Code();
}

}  // namespace

bool Install(const SyscallFilter& filter) {
  std::vector<sock_filter> code = Assemble(filter);
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  // Older kernels make filtered processes slow against a leak between processors' stores unless told not to.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0 ||
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace assay::exec
