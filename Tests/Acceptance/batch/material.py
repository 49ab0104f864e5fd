"""Raws to develop: copies and variants of those at hand, damaged ones, and faults put into decoders."""
import random
import shutil
import struct
import subprocess

from support import program
from support.program import SHARED

FIXTURES = [program.FIXTURES / f"sunset-{kind}.dng" for kind in ("linear", "bayer", "xtrans")]
# Named files do at the second time that a process opens them, which is the decoder's: the first is
# for the digest. Folders' names do not count.
FAULTS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int opened;
static char last[4096];
static void fault(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!strstr(name, "-me") || !strstr(name, ".dng") || strstr(name, ".yaml") || strstr(name, ".xmp")) return;
  if (strcmp(last, path)) { strncpy(last, path, sizeof last - 1); opened = 0; }
  if (++opened < 2) return;
  const char *log = getenv("FAULT_LOG");
  FILE *told = log ? fopen(log, "a") : NULL;
  if (told) { fprintf(told, "%s\n", name); fclose(told); }
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
int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
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
  return real(from, to);
}
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64) FOPEN(fopen) FOPEN(fopen64)
"""


def faults(folder):
    """The library that makes files called …crash… crash whoever decodes them."""
    source, library = folder / "faults.c", folder / "faults.so"
    if not library.exists():
        source.write_text(FAULTS)
        subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-w", "-o", library, source, "-ldl"], check=True)
    return library


def variant(source, path, number):
    """A copy whose content nobody has seen: bytes behind the end, which no reader looks at."""
    shutil.copyfile(source, path)
    path.chmod(0o644)
    with open(path, "ab") as file:
        file.write(struct.pack("<8sQ", b"variant ", number))
    return path


def copies(folder, count, sources=FIXTURES[:1], name="raw-{:03}.dng"):
    return [variant(sources[i % len(sources)], folder / name.format(i), i) for i in range(count)]


def good(count):
    """Raws for a night: large ones a few times, small ones for the rest."""
    small, large = list(FIXTURES), []
    if SHARED.is_dir():
        dngs = sorted((SHARED / "dng").glob("*.dng"))
        small += dngs
        raws = [p for p in sorted((SHARED / "raws").iterdir())
                if p.suffix.lower() in (".dng", ".cr2") and "header_only" not in p.name]
        small += [p for p in raws if p.stat().st_size < 3e6]
        large = [p for p in raws if p.stat().st_size >= 3e6]
    else:
        print(f"WARNING: {SHARED} is not there; the night is made of the fixtures alone", flush=True)
    if count < 200:
        # A short look takes one large raw of each maker only.
        large = [p for p in large if p.suffix.lower() == ".cr2"][:1] if count >= 40 else []
    chosen = large + [p for p in large if p.stat().st_size < 8e6]
    return (chosen + [small[i % len(small)] for i in range(count)])[:count]


def damaged(folder):
    """Files that are called raws and are none that can be developed; more than ten kinds."""
    bayer, xtrans, linear = (FIXTURES[1].read_bytes(), FIXTURES[2].read_bytes(), FIXTURES[0].read_bytes())
    chance = random.Random(7)

    def entry(data, tag):
        """Places of the entries of `tag` in the directories of a little-endian TIFF."""
        found, rest, seen = [], [struct.unpack_from("<I", data, 4)[0]], set()
        while rest:
            at = rest.pop()
            if not at or at in seen or at + 2 > len(data):
                continue
            seen.add(at)
            number = struct.unpack_from("<H", data, at)[0]
            for i in range(number):
                place = at + 2 + 12 * i
                kind, _, length, value = struct.unpack_from("<HHII", data, place)
                if kind == tag:
                    found.append(place)
                if kind == 330:
                    rest += [value] if length == 1 else struct.unpack_from(f"<{length}I", data, value)
            rest.append(struct.unpack_from("<I", data, at + 2 + 12 * number)[0])
        return found

    def changed(data, tag, value):
        data = bytearray(data)
        for place in entry(data, tag):
            struct.pack_into("<HII", data, place + 2, 4, 1, value)
        return bytes(data)

    def flipped(data, low, high, number):
        data = bytearray(data)
        for _ in range(number):
            data[chance.randrange(low, min(high, len(data)))] ^= 1 << chance.randrange(8)
        return bytes(data)

    looped = bytearray(bayer)
    for place in entry(bayer, 330):
        struct.pack_into("<I", looped, place + 8, struct.unpack_from("<I", bayer, 4)[0])
    kinds = {
        "truncated-header": bayer[:100], "truncated-data": xtrans[:len(xtrans) * 6 // 10],
        "zeros": bytes(300_000), "text": b"This is not a raw.\n" * 500,
        "flipped-header": bytes(b ^ 0x55 for b in bayer[:64]) + bayer[64:],
        "flipped-data": flipped(bayer, len(bayer) // 2, len(bayer), 4000),
        "huge": changed(changed(bayer, 256, 0x7FFFFFFF), 257, 0x7FFFFFFF), "empty": b"",
        "strips-outside": changed(bayer, 273, 0xFFFFFF00), "loop": bytes(looped),
        "truncated-directory": bayer[:400], "truncated-tiles": linear[:len(linear) // 2],
        "odd-compression": changed(bayer, 259, 12345), "flipped-directory": flipped(bayer, 8, 500, 60),
        "heic-like": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(5000),
    }
    paths = []
    for name, data in kinds.items():
        paths.append(folder / f"bad-{name}.dng")
        paths[-1].write_bytes(data)
    return paths
