// Preloaded: a LibRaw with faults put into it, linked or loaded. What it does before it opens a file is
// in the file's last bytes, "FAULT:" and a word: a process that maps such a file does it where it asks
// C++ for the memory of a decoder, which nothing else of that size is made by. Those that reach outside do it in the folder PROBES and by the port
// PROBE_PORT; what succeeded stands on standard error before the crash.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
static char done[1000];
static const char *at(const char *name) {
  static char paths[16][600];
  static int next;
  char *path = paths[next++ % 16];
  snprintf(path, 600, "%s/%s", getenv("PROBES"), name);
  return path;
}
static void tried(const char *what, int succeeded) {
  if (succeeded) strncat(strncat(done, " ", 2), what, 40);
}
static void write_files(void) {
  int file = open(at("created"), O_WRONLY | O_CREAT, 0666);
  tried("create", file >= 0);
  tried("overwrite", open(at("precious"), O_WRONLY) >= 0);
  tried("truncate", truncate(at("precious"), 0) == 0);
  tried("rename", rename(at("precious"), at("renamed")) == 0);
  tried("link", link(at("precious"), at("linked")) == 0);
  tried("symlink", symlink("precious", at("symlinked")) == 0);
  tried("mkdir", mkdir(at("folder"), 0777) == 0);
  tried("chmod", chmod(at("precious"), 0777) == 0);
  tried("unlink", unlink(at("precious")) == 0);
  tried("mkfifo", mkfifo(at("fifo"), 0666) == 0);
  tried("null", open("/dev/null", O_WRONLY) >= 0);
}
static void connect_to_net(void) {
  struct sockaddr_in there = {AF_INET, htons(atoi(getenv("PROBE_PORT"))), {htonl(INADDR_LOOPBACK)}};
  int tcp = socket(AF_INET, SOCK_STREAM, 0);
  tried("tcp", tcp >= 0 && connect(tcp, (void *)&there, sizeof there) == 0);
  int udp = socket(AF_INET, SOCK_DGRAM, 0);
  tried("udp", udp >= 0 && sendto(udp, "x", 1, 0, (void *)&there, sizeof there) == 1);
  struct sockaddr_un here = {AF_UNIX};
  strncpy(here.sun_path, at("socket"), sizeof here.sun_path - 1);
  int local = socket(AF_UNIX, SOCK_STREAM, 0);
  tried("local", local >= 0 && connect(local, (void *)&here, sizeof here) == 0);
  tried("netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
}
static void run_programs(void) {
  char command[700];
  snprintf(command, sizeof command, "touch %s", at("ran"));
  tried("system", system(command) == 0);
  pid_t child = fork();
  if (child == 0) { fclose(fopen(at("forked"), "w")); _exit(0); }
  tried("fork", child > 0);
  if (child > 0) waitpid(child, NULL, 0);
  execl("/bin/touch", "touch", at("executed"), NULL);
}
static void reach_processes(void) {
  static char byte;
  struct iovec own = {&byte, 1}, other = own;
  tried("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
  tried("memory", process_vm_writev(getppid(), &own, 1, &other, 1, 0) == 1);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", getppid());
  tried("mem", open(path, O_RDONLY) >= 0);
  struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  tried("limit", setrlimit(RLIMIT_AS, &none) == 0);
  tried("signal", kill(getppid(), SIGTERM) == 0);
}
static char fault[32];
static void fail(void) {
  if (!strcmp(fault, "null")) *(volatile char *)NULL = 1;
  if (!strcmp(fault, "overflow"))
    for (int i = 0; i < 1000; i++) { char *p = malloc(24); memset(p, 0x41, 1 << 16); free(p); }
  if (!strcmp(fault, "loop")) for (volatile int i = 0;; i++);
  if (!strcmp(fault, "eater")) for (;;) { char *p = malloc(64 << 20); if (p) memset(p, 1, 64 << 20); }
  if (!strcmp(fault, "files")) write_files();
  if (!strcmp(fault, "net")) connect_to_net();
  if (!strcmp(fault, "programs")) run_programs();
  if (!strcmp(fault, "processes")) reach_processes();
  fprintf(stderr, "%s: done:%s\n", fault, done);
  signal(SIGABRT, SIG_DFL);
  abort();
}
void *mmap(void *address, size_t count, int rights, int flags, int file, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "mmap");
  void *mapped = real(address, count, rights, flags, file, offset);
  struct stat known;
  if (mapped == MAP_FAILED || file < 0 || offset || fstat(file, &known) || known.st_size < 1 << 20
      || count < known.st_size || !(rights & PROT_READ))
    return mapped;
  char *end = (char *)mapped + known.st_size;
  char *found = memmem(end - 40, 40, "FAULT:", 6);
  memset(fault, 0, sizeof fault);
  if (found) memcpy(fault, found + 6, end - found - 6);
  return mapped;
}
// operator new(size_t)
void *_Znwm(size_t count) {
  static void *(*real)(size_t);
  if (!real) real = dlsym(RTLD_NEXT, "_Znwm");
  if (*fault && count > 100000) fail();
  return real(count);
}
