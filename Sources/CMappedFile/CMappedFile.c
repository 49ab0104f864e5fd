// Source: the handler of libwayland's wl_shm_buffer_begin_access, which guards a compositor from its
// clients in the same way; signal-safety(7), sigaction(2), mmap(2).
//
// A fault of a page in a range that is listed here maps zeros over the rest of the range and returns, so
// that the read is done again and succeeds. Any other SIGBUS goes where it went before: to the handler
// that was there, or to the end of the process.
//
// The ranges are a list that only grows; entries are used again. A handler may not wait for a lock, and
// has none to wait for. mmap is no function that POSIX lists as safe in handlers; on Linux and macOS it
// is one system call.
//
// Known failure: a program that sets a handler of its own later, and does not call the one that was
// there, is without this guard.
#define _GNU_SOURCE
#include "CMappedFile.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct cmapped_file {
  // Both 0 where the entry is free. The end is set last and cleared first.
  _Atomic uintptr_t start, end;
  atomic_bool is_used, is_lost;
  cmapped_file *next;
};

static _Atomic(cmapped_file *) files;
static struct sigaction previous;
static uintptr_t page_size;

static bool recover(uintptr_t address) {
  for (cmapped_file *file = atomic_load(&files); file; file = file->next) {
    uintptr_t end = atomic_load(&file->end), start = atomic_load(&file->start);
    if (address < start || address >= end) continue;
    // First, so that no thread finds zeros and not this.
    atomic_store(&file->is_lost, true);
    uintptr_t page = address & ~(page_size - 1);
    void *zeros = mmap(
        (void *)page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return zeros != MAP_FAILED;
  }
  return false;
}

static void handle(int signal, siginfo_t *info, void *context) {
  // Only the kernel's own have an address, and a code above 0.
  if (info->si_code > 0) {
    int saved = errno;
    bool is_recovered = recover((uintptr_t)info->si_addr);
    errno = saved;
    if (is_recovered) return;
  }
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL || (previous.sa_handler == SIG_IGN && info->si_code > 0)) {
    // What happens without this handler: the read is done again, or the signal sent again.
    struct sigaction none = {.sa_handler = SIG_DFL};
    sigaction(signal, &none, NULL);
    if (info->si_code <= 0) raise(signal);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

static void install(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
  action.sa_sigaction = handle;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

static cmapped_file *entry(void) {
  for (cmapped_file *file = atomic_load(&files); file; file = file->next) {
    bool expected = false;
    if (atomic_compare_exchange_strong(&file->is_used, &expected, true)) return file;
  }
  cmapped_file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  atomic_store(&file->is_used, true);
  cmapped_file *first = atomic_load(&files);
  do { file->next = first; } while (!atomic_compare_exchange_weak(&files, &first, file));
  return file;
}

cmapped_file *cmapped_file_open(int descriptor, size_t length) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  cmapped_file *file = entry();
  if (!file) return NULL;
  void *start = mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) {
    atomic_store(&file->is_used, false);
    return NULL;
  }
  atomic_store(&file->is_lost, false);
  atomic_store(&file->start, (uintptr_t)start);
  atomic_store(&file->end, (uintptr_t)start + length);
  return file;
}

void *cmapped_file_start(const cmapped_file *file) { return (void *)atomic_load(&file->start); }

bool cmapped_file_is_lost(const cmapped_file *file) { return atomic_load(&file->is_lost); }

void cmapped_file_close(cmapped_file *file) {
  uintptr_t start = atomic_load(&file->start), end = atomic_load(&file->end);
  atomic_store(&file->end, 0);
  atomic_store(&file->start, 0);
  munmap((void *)start, end - start);
  atomic_store(&file->is_used, false);
}
