// Tells the thread sanitizer what Swift's Mutex does when it waits. Its fast path is atomic code of
// the program, which the sanitizer sees; its slow paths are functions of libswiftSynchronization,
// which is not instrumented, and the kernel's: without this every lock that was waited for is
// reported as a race. Preloaded by Scripts/nightly thread, so that these functions take the place
// of the library's, which they call.
//
// Source: stdlib/public/Synchronization/Mutex/LinuxImpl.swift of Swift 6 (futexes with priority
// inheritance); functions of the sanitizer: tsan_interface.h of LLVM.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Only programs that are instrumented have them.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  next(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
