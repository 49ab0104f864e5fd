// Preloaded, lets a program believe in one processor: Swift then runs tasks on one thread, and
// work that blocks it until another task has run never ends. `taskset` alone does not do that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name) {
  static long (*system_own)(int);
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return 1;
  if (!system_own) system_own = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return system_own(name);
}
