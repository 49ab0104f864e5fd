// What POSIX leaves to each system: what differs between Linux and macOS is settled here.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/falloc.h>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Seconds since 1970 when the file at `path` was changed; 0 where there is none.
static inline int64_t cposix_modified(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (int64_t)status.st_mtime : 0;
}

// Whether all who write to the disk of the folder at `path` see each other's locks: it is one of this machine.
// 0 for disks that are not known.
static inline int cposix_is_local(const char *path) {
  struct statfs disk;
  if (statfs(path, &disk) < 0) return 0;
#ifdef __linux__
  switch ((unsigned long)disk.f_type) {
  case EXT4_SUPER_MAGIC: // ext2 and ext3, too
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case RAMFS_MAGIC:
  case OVERLAYFS_SUPER_MAGIC:
  case MSDOS_SUPER_MAGIC:
  case 0x2011BAB0: // exFAT
  case 0x2FC12FC1: // ZFS
    return 1;
  default: return 0;
  }
#else
  return (disk.f_flags & MNT_LOCAL) != 0;
#endif
}

// Writes as write(2) does, without the signal that ends a process when nobody reads a pipe.
static inline ssize_t cposix_write(int descriptor, const void *bytes, size_t count) {
  sigset_t pipe, pending, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  ssize_t done = write(descriptor, bytes, count);
  int failure = errno;
  if (done < 0 && failure == EPIPE && !sigismember(&pending, SIGPIPE)) {
    int taken;
    sigwait(&pipe, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = failure;
  return done;
}

// Renames a file to a name that nothing has. 0, or -1 and `errno`: EEXIST where something has it.
// Disks that cannot do that in one step get a second link, and those without links a plain rename.
static inline int cposix_rename_new(const char *old_path, const char *new_path) {
#ifdef __APPLE__
  if (renamex_np(old_path, new_path, RENAME_EXCL) == 0) return 0;
  if (errno != ENOTSUP) return -1;
#else
  // renameat2(2) with RENAME_NOREPLACE.
  if (syscall(SYS_renameat2, AT_FDCWD, old_path, AT_FDCWD, new_path, 1u) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
  if (link(old_path, new_path) == 0) return unlink(old_path);
  if (errno == EEXIST) return -1;
  struct stat status;
  if (lstat(new_path, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(old_path, new_path);
}

// The descriptor of a file in memory without a name; -1 where the system has none.
static inline int cposix_memory_file(void) {
#ifdef __linux__
  // memfd_create(2) with MFD_CLOEXEC.
  return (int)syscall(SYS_memfd_create, "rawdev", 1u);
#else
  return -1;
#endif
}

// Reserves space on the disk for the first `bytes` of a file, whose length stays; nothing where that
// is not possible.
static inline void cposix_reserve(int descriptor, int64_t bytes) {
#ifdef __APPLE__
  fstore_t space = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, bytes, 0};
  fcntl(descriptor, F_PREALLOCATE, &space);
#else
  // fallocate(2), which headers declare for GNU sources alone.
  syscall(SYS_fallocate, descriptor, FALLOC_FL_KEEP_SIZE, (off_t)0, (off_t)bytes);
#endif
}

// Lets the system write what it holds of a file to the disk, without waiting for it.
static inline void cposix_start_writing(int descriptor) {
#ifdef __linux__
  // sync_file_range(2) with SYNC_FILE_RANGE_WRITE, of the whole file.
  syscall(SYS_sync_file_range, descriptor, (off_t)0, (off_t)0, 2u);
#else
  (void)descriptor;
#endif
}

// Waits until what was written is on the disk. 0, or -1 and `errno`.
static inline int cposix_synchronize(int descriptor) {
#ifdef __APPLE__
  return fcntl(descriptor, F_FULLFSYNC);
#else
  return fdatasync(descriptor);
#endif
}

// Lets all threads take memory from one heap.
static inline void cposix_share_heap(void) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}

// A stream socket between processes, which programs that this one starts do not inherit. -1 and
// `errno` where there is none.
static inline int cposix_local_socket(void) {
#ifdef __APPLE__
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#else
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#endif
}

// Two ends of a stream between this process and one that it starts; other programs that it starts do not
// inherit them. 0, or -1 and `errno`.
static inline int cposix_socket_pair(int ends[2]) {
#ifdef __APPLE__
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#endif
}

// Open files that go with one message, at most.
#define CPOSIX_FILES 64

// Writes one byte as write(2) does, to a socket, and with it hands over `count` open files. 1, or -1 and
// `errno`.
static inline ssize_t cposix_hand_over(int socket, uint8_t byte, const int *files, int count) {
  char control[CMSG_SPACE(CPOSIX_FILES * sizeof(int))] = {0};
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {0};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
  memcpy(CMSG_DATA(head), files, (size_t)count * sizeof(int));
  return sendmsg(socket, &message, 0);
}

// Reads as read(2) does, and takes the open files that were handed over with these bytes: `count` of
// `files`, which has room for CPOSIX_FILES. Programs that this process starts do not inherit them.
static inline ssize_t cposix_take_over(
    int descriptor, void *start, size_t length, int *files, int *count) {
  *count = 0;
  char control[CMSG_SPACE(CPOSIX_FILES * sizeof(int))] = {0};
  struct iovec bytes = {start, length};
  struct msghdr message = {0};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
#ifdef MSG_CMSG_CLOEXEC
  ssize_t done = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC);
#else
  ssize_t done = recvmsg(descriptor, &message, 0);
#endif
  // A pipe or a file hands over nothing.
  if (done < 0 && errno == ENOTSOCK) return read(descriptor, start, length);
  if (done < 0) return done;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    *count = (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(files, CMSG_DATA(head), (size_t)*count * sizeof(int));
#ifndef MSG_CMSG_CLOEXEC
    for (int i = 0; i < *count; i++) fcntl(files[i], F_SETFD, FD_CLOEXEC);
#endif
  }
  return done;
}

// Limits a process from outside: no more addresses than `bytes`, so that more memory is refused to it,
// and no picture of its memory when it crashes. Nothing where the system has no such call.
static inline void cposix_limit(pid_t process, int64_t bytes) {
#ifdef __linux__
  // prlimit64(2), which headers declare for GNU sources alone.
  struct { uint64_t now, most; } space = {(uint64_t)bytes, (uint64_t)bytes}, none = {0, 0};
  syscall(SYS_prlimit64, process, RLIMIT_AS, &space, (void *)0);
  syscall(SYS_prlimit64, process, RLIMIT_CORE, &none, (void *)0);
#else
  (void)process;
  (void)bytes;
#endif
}

// Limits the files that a process writes from outside: none gets longer than `bytes`; who tries is ended by
// SIGXFSZ. Nothing where the system has no such call.
static inline void cposix_limit_files(pid_t process, int64_t bytes) {
#ifdef __linux__
  struct { uint64_t now, most; } length = {(uint64_t)bytes, (uint64_t)bytes};
  syscall(SYS_prlimit64, process, RLIMIT_FSIZE, &length, (void *)0);
#else
  (void)process;
  (void)bytes;
#endif
}

// Files that this process may have open at a time.
static inline int32_t cposix_open_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return 256;
  return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int32_t)limit.rlim_cur;
}

typedef struct {
  double cpu_seconds; // of all threads, in this process and in the system for it
  int64_t peak_bytes; // the largest resident memory so far
} cposix_usage;

// What this process has used.
static inline cposix_usage cposix_usage_now(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  cposix_usage result = {
      (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
          (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
#ifdef __APPLE__
      usage.ru_maxrss
#else
      (int64_t)usage.ru_maxrss * 1024
#endif
  };
  return result;
}

static inline int64_t cposix_nanoseconds(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Nanoseconds of a clock that only goes forward.
static inline int64_t cposix_time(void) { return cposix_nanoseconds(CLOCK_MONOTONIC); }

// Nanoseconds of CPU that the calling thread has used.
static inline int64_t cposix_thread_cpu(void) {
  return cposix_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

// Nanoseconds of CPU that all threads of this process have used.
static inline int64_t cposix_process_cpu(void) {
  return cposix_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

// Nanoseconds of CPU that all threads of another process have used; 0 where that is not known.
static inline int64_t cposix_cpu_of(pid_t process) {
#ifdef __linux__
  clockid_t clock;
  return clock_getcpuclockid(process, &clock) == 0 ? cposix_nanoseconds(clock) : 0;
#else
  (void)process;
  return 0;
#endif
}

// Tells the calling thread from all others that run.
static inline uint64_t cposix_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }

// Starts the program at `path` with these standard streams and no signal blocked, in a process
// group of its own. 0 and the `process`, or an error number.
static inline int cposix_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[],
    int input, int output, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  failure = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}
