// What a worker process may not do, whatever code takes it over: write or run any file that it was not
// handed open, reach a network or another process.
//
// Two layers by the kernel's own interfaces, each enough by itself where the other is missing:
// - seccomp (linux/seccomp.h; Linux 3.17): a list of the system calls that decoding and encoding need.
//   Files open for reading alone; there is no socket, no other program, no signal but to this process.
//   Refused calls fail with EPERM, or EACCES for opening, and the program goes on.
// - Landlock (linux/landlock.h; Linux 5.13): no right to write, make, remove or run anything below any
//   folder; since 6.7 no TCP, since 6.12 no signals and abstract sockets to others.
// Descriptors that are open stay as they are: standard streams, and files that arrive by recvmsg(2).
//
// Reading by path is not restricted. Known failure: a library that needs a call which is not listed gets
// EPERM; add it where it neither names a file to write nor reaches beyond the process.
#define _GNU_SOURCE
#include "CConfinement.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

bool cconfinement_is_sanitized(void) {
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
}

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Numbers of calls above this one are of later kernels: libraries try them and fall back on ENOSYS.
#define NEWEST_CALL 462

#ifdef ARCHITECTURE
// Calls that are allowed with any arguments.
static const uint32_t allowed[] = {
    // Reading, and what is said of files.
    SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_lseek, SYS_close, SYS_close_range,
    SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
    SYS_getdents64, SYS_getcwd, SYS_statfs, SYS_fstatfs, SYS_fadvise64, SYS_mincore, SYS_recvmsg,
    // Writing to what is open.
    SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_ftruncate, SYS_fsync,
    SYS_fdatasync, SYS_sync_file_range,
    // Descriptors.
    SYS_dup, SYS_dup3, SYS_pipe2, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_timerfd_gettime, SYS_signalfd4,
    // Memory.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_membarrier,
    // Threads.
    SYS_futex, SYS_futex_waitv, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_gettid,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getpriority, SYS_getcpu, SYS_exit,
    SYS_exit_group, SYS_restart_syscall,
    // Signals to itself.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_rt_sigpending,
    SYS_rt_sigsuspend, SYS_sigaltstack,
    // Time, and what is said of the system.
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_times, SYS_getrandom, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_getpid, SYS_getppid,
    SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrlimit,
#ifdef __x86_64__
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_select, SYS_epoll_wait,
    SYS_arch_prctl, SYS_pause, SYS_time,
#endif
};

enum { MOST = 600 };
typedef struct {
  struct sock_filter code[MOST];
  unsigned short count;
} filter;

static void put(filter *f, uint16_t code, uint32_t value, uint8_t then, uint8_t otherwise) {
  if (f->count < MOST) f->code[f->count++] = (struct sock_filter){code, then, otherwise, value};
}

static void load(filter *f, size_t offset) {
  put(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// The lower or upper half of an argument; the processors that are named above are little-endian.
static void load_argument(filter *f, int index, int half) {
  load(f, offsetof(struct seccomp_data, args) + (size_t)index * 8 + (size_t)half * 4);
}

static void answer(filter *f, uint32_t result) { put(f, BPF_RET | BPF_K, result, 0, 0); }
static void refuse(filter *f, int error) { answer(f, SECCOMP_RET_ERRNO | (uint32_t)error); }

// The next `length` instructions are for this call alone. They have to end with an answer.
static void when(filter *f, uint32_t call, uint8_t length) {
  put(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, length);
}

static void refuse_call(filter *f, uint32_t call, int error) {
  when(f, call, 1);
  refuse(f, error);
}

// Allows a call whose argument is one of `values`.
static void allow_values(
    filter *f, uint32_t call, int argument, const uint32_t *values, uint8_t count) {
  when(f, call, (uint8_t)(2 * count + 2));
  load_argument(f, argument, 0);
  for (uint8_t i = 0; i < count; i++) {
    put(f, BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
    answer(f, SECCOMP_RET_ALLOW);
  }
  refuse(f, EPERM);
}

// Allows a call whose argument has none of `bits`, or, where they are `wanted`, all of them.
static void allow_bits(
    filter *f, uint32_t call, int argument, uint32_t bits, bool wanted, int error) {
  when(f, call, 4);
  load_argument(f, argument, 0);
  put(f, BPF_JMP | BPF_JSET | BPF_K, bits, wanted ? 1 : 0, wanted ? 0 : 1);
  refuse(f, error);
  answer(f, SECCOMP_RET_ALLOW);
}

// Allows a call where two halves of its arguments are 0.
static void allow_zeros(
    filter *f, uint32_t call, int first, int first_half, int second, int second_half) {
  when(f, call, 6);
  load_argument(f, first, first_half);
  put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
  load_argument(f, second, second_half);
  put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
  answer(f, SECCOMP_RET_ALLOW);
  refuse(f, EPERM);
}

// Allows to reserve space for a file, from its start and for less than 64 GiB: the limit of its length, which
// is set from outside, does not hold for what is reserved behind its end.
static void allow_reserving(filter *f) {
  when(f, SYS_fallocate, 8);
  load_argument(f, 2, 0);
  put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
  load_argument(f, 2, 1);
  put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
  load_argument(f, 3, 1);
  put(f, BPF_JMP | BPF_JGT | BPF_K, 15, 1, 0);
  answer(f, SECCOMP_RET_ALLOW);
  refuse(f, EPERM);
}

static void build(filter *f) {
  load(f, offsetof(struct seccomp_data, arch));
  put(f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer(f, SECCOMP_RET_KILL_PROCESS);
  load(f, offsetof(struct seccomp_data, nr));
  put(f, BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1);
  refuse(f, ENOSYS);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    when(f, allowed[i], 1);
    answer(f, SECCOMP_RET_ALLOW);
  }
  // Their arguments are in memory, which a filter cannot read; libraries fall back.
  refuse_call(f, SYS_clone3, ENOSYS);
  refuse_call(f, SYS_openat2, ENOSYS);

  const uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  allow_bits(f, SYS_openat, 2, writing, false, EACCES);
#ifdef SYS_open
  allow_bits(f, SYS_open, 1, writing, false, EACCES);
#endif
  // A process can let go of pages of shared memory, which then count to nobody and stay. Libraries that map
  // files so read them instead.
  allow_bits(f, SYS_mmap, 3, MAP_SHARED, false, EPERM);
  allow_reserving(f);
  allow_bits(f, SYS_clone, 0, CLONE_THREAD, true, EPERM);
  const uint32_t own = (uint32_t)getpid();
  allow_values(f, SYS_tgkill, 0, &own, 1);
  allow_values(f, SYS_kill, 0, &own, 1);
  // Of this process or thread, which is 0: no group and no user's processes.
  _Static_assert(PRIO_PROCESS == 0, "what is compared");
  allow_zeros(f, SYS_setpriority, 0, 0, 1, 0);
  const uint32_t of_descriptors[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC};
  allow_values(f, SYS_fcntl, 1, of_descriptors, 6);
  // TCGETS2 is a number of its own header, which does not go with termios.h.
  const uint32_t of_terminals[] = {TCGETS, 0x802C542A, FIONREAD, FIONBIO, TIOCGWINSZ, FIOCLEX};
  allow_values(f, SYS_ioctl, 1, of_terminals, 6);
  // PR_SET_VMA, by which allocators name memory.
  const uint32_t of_names[] = {PR_SET_NAME, PR_GET_NAME, 0x53564D41};
  allow_values(f, SYS_prctl, 0, of_names, 3);
  // Limits are read, not set: root might raise them.
  allow_zeros(f, SYS_prlimit64, 2, 0, 2, 1);

  refuse(f, EPERM);
}

static bool enter_seccomp(void) {
  static filter f;
  f.count = 0;
  build(&f);
  if (f.count == MOST) return false;
  struct sock_fprog program = {f.count, f.code};
  return syscall(
             SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
#else
static bool enter_seccomp(void) { return false; }
#endif

// As in linux/landlock.h of Linux 6.12, of which older systems have a shorter one.
typedef struct {
  uint64_t files, network, scopes;
} landlock_rules;
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

static bool enter_landlock(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
  if (version < 1) return false;
  landlock_rules rules = {0};
  // Running and writing, removing and making of each kind: bits 0 to 12 except for the reading of files
  // and folders, 2 and 3.
  rules.files = 0x1FF3;
  if (version >= 2) rules.files |= 1u << 13;                // moving between folders
  if (version >= 3) rules.files |= 1u << 14;                // truncating
  if (version >= 5) rules.files |= 1u << 15;                // ioctl of devices
  if (version >= 4) rules.network = 3;                      // TCP, bind and connect
  if (version >= 6) rules.scopes = 3;                       // abstract sockets, signals
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long ruleset = syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
  if (ruleset < 0) return false;
  // Without a rule that gives any of these rights back.
  bool entered = syscall(SYS_landlock_restrict_self, (int)ruleset, 0u) == 0;
  close((int)ruleset);
  // Each thread is a folder.
  struct stat tasks;
  return entered && stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

cconfinement_state cconfinement_enter(void) {
  cconfinement_state state = {false, false};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return state;
  // seccomp refuses the calls of Landlock.
  state.landlock = enter_landlock();
  state.seccomp = enter_seccomp();
  return state;
}
#else
cconfinement_state cconfinement_enter(void) {
  cconfinement_state state = {false, false};
  return state;
}
#endif
