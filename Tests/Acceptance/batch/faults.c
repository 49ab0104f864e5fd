// Preloaded: decoders that crash, hang or swallow memory, and batches that stop or die before a rename.
// Files whose names say so do at the second time that a process opens them, which is the decoder's: the
// first is for the digest. Folders' names do not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int opened;
static int log_file = -1;
// When it is loaded: a worker may not open files for writing any more.
__attribute__((constructor)) static void open_log(void) {
  const char *log = getenv("FAULT_LOG");
  if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}
static char last[4096];
static void fault(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!strstr(name, "-me") || !strstr(name, ".dng") || strstr(name, ".yaml") || strstr(name, ".xmp")) return;
  if (strcmp(last, path)) { strncpy(last, path, sizeof last - 1); opened = 0; }
  if (++opened < 2) return;
  if (log_file >= 0) dprintf(log_file, "%s\n", name);
  if (strstr(name, "segv-me")) { signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); }
  if (strstr(name, "abort-me")) { signal(SIGABRT, SIG_DFL); abort(); }
  if (strstr(name, "exit-me")) _exit(9);
  if (strstr(name, "hang-me")) for (;;) pause();
  if (strstr(name, "swallow-me"))
    for (;;) { char *p = malloc(16 << 20); if (p) memset(p, 1, 16 << 20); usleep(10000); }
}
#define ARGUMENT(flags) mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { \
  va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
#define OPEN(NAME) int NAME(const char *path, int flags, ...) { ARGUMENT(flags) fault(path); \
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #NAME); return real(path, flags, mode); }
#define OPENAT(NAME) int NAME(int at, const char *path, int flags, ...) { ARGUMENT(flags) fault(path); \
  int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #NAME); return real(at, path, flags, mode); }
#define FOPEN(NAME) FILE *NAME(const char *path, const char *mode) { fault(path); \
  FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, #NAME); return real(path, mode); }
static int renames;
static void count_rename(void) {
  const char *killed = getenv("KILL_AT_RENAME"), *stopped = getenv("STOP_AT_RENAME");
  const char *at = killed ? killed : stopped;
  char words[4096] = "";
  FILE *file = at ? fopen("/proc/self/cmdline", "r") : NULL;
  if (file) {
    fread(words, 1, sizeof words - 1, file);
    fclose(file);
    if (strcmp(words + strlen(words) + 1, "batch") == 0 && ++renames == atoi(at))
      raise(killed ? SIGKILL : SIGSTOP);
  }
}
int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  count_rename();
  return real(from, to);
}
// A rename to a name that nothing has is a system call: the C library has no function for it everywhere.
long syscall(long number, ...) {
  long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
  long of[6];
  va_list list;
  va_start(list, number);
  for (int each = 0; each < 6; each++) of[each] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2) count_rename();
  return real(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64) FOPEN(fopen) FOPEN(fopen64)
