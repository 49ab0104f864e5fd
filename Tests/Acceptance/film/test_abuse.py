"""Films under stress: killed, without room, of damaged frames and of hostile movies. Nothing but a
complete film ever has its name, and each trouble is one clear message."""
import hashlib
import os
import random
import shutil
import signal
import struct
import subprocess
import time

import pytest

from film.material import clip, probe
from support.checks import check, none, same
from support.program import attempt, disk, run


def refused(rawdev, name, code, words, said, timeout=60):
    done = attempt(rawdev, "film", *words, timeout=timeout)
    same(f"{name}: exit code, {done.stderr[-300:]}", done.returncode, code)
    lines = [line for line in done.stderr.splitlines() if line.startswith("rawdev:")]
    same(f"{name}: messages, {done.stderr[-300:]}", len(lines), 1)
    check(f"{name}: says {said}", said in done.stderr, done.stderr)


def test_contradictions(rawdev, tmp):
    folder, out = clip(tmp / "clip", 2), tmp / "a.mov"
    for name, words, said in (
            ("AV1 in .mov", ("--codec", "av1"), ".mp4"),
            ("HDR in H.264", ("--codec", "h264", "--format", "hlg"), "SDR"),
            ("8 bits of HDR", ("--format", "pq", "--bits", "8"), "8 bits"),
            ("odd size", ("--size", "301,200"), "even"),
            ("light of HLG", ("--format", "hlg", "--content-light", "1000,100"), "pq"),
            ("preset and codec", ("--preset", "prores-422", "--codec", "hevc"), "one of both"),
            ("unknown preset", ("--preset", "hevc-1x1"), "hevc-1920x1080"),
            ("rate", ("--fps", "x"), "24000/1001"),
            ("time code", ("--timecode", "00:00:00:24"), "time code")):
        refused(rawdev, name, 2, [folder, "-o", out, *words], said)
    refused(rawdev, "ProRes in .mp4", 2, [folder, "-o", tmp / "a.mp4", "--codec", "prores-422"],
            ".mov")
    refused(rawdev, "no film", 2, [folder, "-o", tmp / "a.avi"], ".mov")
    refused(rawdev, "no input", 66, [tmp / "nothing", "-o", out], "no such file")
    none("files", [p for p in tmp.iterdir() if p != folder])


def test_kills(rawdev, tmp):
    """Killed at any moment and finished: byte for byte the film of an undisturbed run."""
    folder = clip(tmp / "clip", 150)
    words = [rawdev, "film", folder, "--size", "150,100", "--fps", "10"]
    run(*words, "-o", tmp / "whole.mov", timeout=600)
    out, kills, chance = tmp / "a.mov", 0, random.Random(5)
    for _ in range(8):
        process = subprocess.Popen([*map(str, words), "-o", out], stderr=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.2, 3))
        process.send_signal(signal.SIGKILL)
        kills += process.wait() < 0
        if out.exists():
            break
    if not out.exists():
        run(*words, "-o", out, timeout=600)
    check("killed", kills, kills)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (out, tmp / "whole.mov")]
    same("bytes", *digests)
    none("what was left", list(tmp.glob(".*")))


@pytest.mark.nightly
def test_twenty_kills(rawdev, tmp):
    folder = clip(tmp / "clip", 300)
    words = [rawdev, "film", folder, "--size", "150,100"]
    run(*words, "-o", tmp / "whole.mov", timeout=1200)
    for seed in range(20):
        chance, out = random.Random(seed), tmp / "a.mov"
        process = subprocess.Popen([*map(str, words), "-o", out], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 8))
        process.kill()
        process.wait()
    run(*words, "-o", out, "--overwrite", timeout=1200)
    same("bytes", out.read_bytes() == (tmp / "whole.mov").read_bytes(), True)


def test_interrupted(rawdev, tmp):
    folder, out = clip(tmp / "clip", 200), tmp / "a.mov"
    process = subprocess.Popen([rawdev, "film", folder, "-o", out, "--size", "150,100"],
                               stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    if process.returncode:
        check("says that it goes on", "goes on" in said, said)
        check("no film", not out.exists())


@pytest.mark.root
def test_full_disk(rawdev, tmp):
    folder, small = clip(tmp / "clip", 60), tmp / "small"
    small.mkdir()
    with disk(small, "size=200k"):
        refused(rawdev, "full disk", 73, [folder, "-o", small / "a.mov", "--quality", "1", "--size",
                                          "300,200"], "disk is full", timeout=300)
        none("no film", list(small.glob("*.mov")))


@pytest.mark.parametrize("choice,frames", [("hold", 5), ("leave", 4), ("end", 2)])
def test_bad_frames(rawdev, tmp, choice, frames):
    folder, out = clip(tmp / "clip", 5), tmp / "a.mov"
    bad = folder / "frame-00003.dng"
    bytes = bad.read_bytes()
    bad.unlink()
    bad.write_bytes(bytes[:len(bytes) // 3])
    done = attempt(rawdev, "film", folder, "-o", out, "--bad-frames", choice, "--size", "300,200",
                   timeout=120)
    check("exit code of some that failed", done.returncode not in (0, 2, 73), done.returncode)
    same("named once", done.stderr.count("frame-00003.dng"), 1)
    same("frames", probe(out)["nb_read_packets"], str(frames))


def test_sizes(rawdev, tmp):
    """Frames of other sizes and orientations are fitted in; gaps are named."""
    folder, out = clip(tmp / "clip", 4), tmp / "a.mov"
    (folder / "frame-00003.dng").unlink()
    for name, side in (("frame-00006.jpg", "200"), ("frame-00007.jpg", "100")):
        run(rawdev, "develop", folder / "frame-00001.dng", "-o", tmp / name, "--format", "jpeg-sdr",
            "--max-size", side, "--orientation", "6")
    done = attempt(rawdev, "film", folder, tmp / "frame-00006.jpg", tmp / "frame-00007.jpg", "-o",
                   out, "--size", "300,200", timeout=120)
    same(f"exit code, {done.stderr[-300:]}", done.returncode, 0)
    check("gap", "1 numbers are missing" in done.stderr, done.stderr)
    same("frames", probe(out)["nb_read_packets"], "5")


def test_hostile_movies(rawdev, tmp):
    good = tmp / "good.mp4"
    run(rawdev, "film", clip(tmp / "clip", 6), "-o", good, "--size", "300,200", timeout=120)
    whole = good.read_bytes()
    index = whole.rindex(b"moov") - 4
    loop = struct.pack(">I4s", 0x7FFFFFFF, b"moov") * 50
    entry = whole.index(b"hvc1", index)
    huge = bytearray(whole)
    huge[entry + 28:entry + 32] = b"\xff\xff\xff\xff"
    path = tmp / "bad.mp4"
    for name, bytes in (("empty", b""), ("random", random.Random(1).randbytes(5000)),
                        ("cut", whole[:index // 2]), ("without index", whole[:index]),
                        ("looped boxes", whole[:40] + loop)):
        path.write_bytes(bytes)
        refused(rawdev, name, 65, [path, "-o", tmp / "a.mp4"], "bad.mp4")
    # ffprobe reads some of these; whatever happens, it ends, and half a film has no name.
    far = whole[:index] + struct.pack(">I4sQ", 1, b"moov", 1 << 62) + whole[index + 8:]
    for name, bytes in (("absurd boxes", far), ("absurd size", huge)):
        path.write_bytes(bytes)
        done = attempt(rawdev, "film", path, "-o", tmp / "a.mp4", "--overwrite", timeout=120)
        if done.returncode == 0:
            same(f"{name}: frames", probe(tmp / "a.mp4")["nb_read_packets"], "6")
        else:
            check(f"{name}: says why", "bad.mp4" in done.stderr, done.stderr)
    front = tmp / "front.mp4"
    run("ffmpeg", "-v", "error", "-i", good, "-map", "0:v", "-c", "copy", "-movflags", "+faststart",
        front)
    path.write_bytes(front.read_bytes()[:-front.stat().st_size // 4])
    done = attempt(rawdev, "film", path, "-o", tmp / "b.mp4", "--bad-frames", "end", timeout=120)
    check("cut behind its index: exit code", done.returncode not in (0, 2), done.returncode)
    same("cut behind its index: one line names it",
         sum("bad.mp4: " in line for line in done.stderr.splitlines()), 1)


def test_dead_encoder(rawdev, tmp):
    """An ffmpeg that dies, or writes fewer frames than it was given, costs the film."""
    real, fake = shutil.which("ffmpeg"), tmp / "bin"
    fake.mkdir()
    os.symlink(shutil.which("ffprobe"), fake / "ffprobe")
    folder = clip(tmp / "clip", 4)
    for name, body, said in (
            ("dies", 'head -c 1000 > /dev/null; echo trouble >&2; exit 3', "trouble"),
            ("is silent", f'head -c 200000 | {real} "$@"; cat > /dev/null', "frames")):
        (fake / "ffmpeg").write_text(
            f'#!/bin/sh\ncase "$*" in *rawvideo*) {body};; *) exec {real} "$@";; esac\n')
        (fake / "ffmpeg").chmod(0o755)
        done = attempt(rawdev, "film", folder, "-o", tmp / "a.mov", "--size", "300,200",
                       env=os.environ | {"PATH": f"{fake}:{os.environ['PATH']}"}, timeout=120)
        same(f"{name}: exit code", done.returncode, 73)
        check(f"{name}: says why", said in done.stderr, done.stderr)
        check(f"{name}: no film", not (tmp / "a.mov").exists())
