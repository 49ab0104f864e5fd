"""Films are what was asked for, as ffprobe, ffmpeg, exiftool and mediainfo read them."""
import json
import shutil
import subprocess

import imagecodecs
import numpy as np
import pytest

from film import material
from film.material import CINEMA, clip, light, planes, pq_nits, probe, sidecar, signal
from support.checks import check, near, none, same
from support.program import attempt, run, tags


def film(rawdev, *words, **options):
    done = attempt(rawdev, "film", *words, **({"timeout": 300} | options))
    same(f"film {' '.join(map(str, words[1:4]))}: exit code, {done.stderr[-400:]}",
         done.returncode, 0)
    return done


def test_encoders(rawdev):
    listed = run(rawdev, "film", "--encoders", text=True)
    for codec in ("hevc", "av1", "prores-422", "prores-4444", "h264"):
        check(f"lists {codec}", codec in listed, listed)
    found = json.loads(run(rawdev, "film", "--encoders", "--json"))
    none("codecs that Debian's ffmpeg lacks", [e["codec"] for e in found if not e["isAvailable"]])


def test_without_ffmpeg(rawdev, tmp):
    done = attempt(rawdev, "film", clip(tmp / "clip", 2), "-o", tmp / "a.mov",
                   env={"PATH": str(tmp)})
    same("exit code", done.returncode, 2)
    check("says what to install", "apt install ffmpeg" in done.stderr, done.stderr)
    same("one line", done.stderr.count("\n"), 1)


def test_dry_run_of_many(rawdev, tmp):
    done = film(rawdev, clip(tmp / "clip", 10_000), "-o", tmp / "a.mov", "--dry-run", "--json",
                timeout=60)
    plan = json.loads(done.stdout)
    same("frames", plan["frames"], 10_000)
    same("rate", plan["rate"], "24000/1001")
    none("files", list(tmp.glob("*.mov")))


CODECS = [("hevc", "mov", "hlg"), ("hevc", "mp4", "pq"), ("av1", "mp4", "pq"),
          ("av1", "mp4", "hlg"), ("prores-422", "mov", "pq"), ("prores-4444", "mov", "hlg"),
          ("h264", "mp4", "sdr"), ("hevc", "mov", "sdr")]
ENTRY = {"hevc": "hvc1", "av1": "av01", "prores-422": "apcn", "prores-4444": "ap4h", "h264": "avc1"}
TRANSFER = {"hlg": "arib-std-b67", "pq": "smpte2084", "sdr": "bt709"}


@pytest.mark.parametrize("codec,ending,format", CODECS)
def test_tags(rawdev, tmp, codec, ending, format):
    out = tmp / f"a.{ending}"
    done = film(rawdev, clip(tmp / "clip", 3), "-o", out, "--codec", codec, "--format", format,
                "--size", "300,200", "--fps", "25", "--json")
    report, found = json.loads(done.stdout), probe(out)
    same("entry", found["codec_tag_string"], ENTRY[codec])
    same("frames", found["nb_read_packets"], "3")
    same("rate", found["avg_frame_rate"], "25/1")
    same("size", (found["width"], found["height"]), (300, 200))
    same("transfer", found["color_transfer"], TRANSFER[format])
    same("primaries", found["color_primaries"], "bt709" if format == "sdr" else "bt2020")
    same("matrix", found["color_space"], "bt709" if format == "sdr" else "bt2020nc")
    same("range", found["color_range"], "tv")
    if codec == "hevc" and format != "sdr":
        same("profile", found["profile"], "Main 10")
        check("level", 30 <= found["level"] <= 186, found["level"])
    most, mean, display = light(found)
    if format == "pq":
        same("MaxCLL", most, report["maxCLL"])
        same("MaxFALL", mean, report["maxFALL"])
        check("mastering display", display >= 203, display)
        if codec != "prores-422":
            same("in frames, too", light(probe(out, frames=True))[:2], (most, mean))
    else:
        same("no light levels", (most, mean, display), (None, None, 0.0))
    boxes = tags(out)
    code = {"hlg": 18, "pq": 16, "sdr": 1}[format]
    same("exiftool: transfer",
         [v for k, v in boxes.items() if k.endswith("TransferCharacteristics")], [code])
    if shutil.which("mediainfo"):
        text = run("mediainfo", out, text=True)
        name = {"hlg": "HLG", "pq": "PQ", "sdr": "BT.709"}[format]
        check("mediainfo: transfer", name in text, text)
        if format == "pq":
            check("mediainfo: MaxCLL", f"{most} cd/m2" in text, text)


def test_cinema_dng(rawdev, tmp):
    if not CINEMA.exists():
        pytest.skip("needs ../shared/raws")
    out = tmp / "a.mov"
    film(rawdev, clip(tmp / "clip", 3, CINEMA), "-o", out)
    found = probe(out)
    same("rate of the tags", found["avg_frame_rate"], "30/1")
    same("size", (found["width"], found["height"]), (1920, 1080))
    same("time code of the tags", found["tags"]["timecode"], "02:16:10:01")


def test_light_levels(rawdev, tmp):
    """MaxCLL and MaxFALL against our own count over what ffmpeg decodes."""
    out, folder = tmp / "a.mov", clip(tmp / "clip", 4)
    for number, stops in ((1, -2), (4, 1)):
        sidecar(folder, number, f"raw: {{exposure: {stops}}}\n")
    film(rawdev, folder, "-o", out, "--format", "pq", "--chroma", "444", "--quality", "1",
         "--size", "300,200")
    maxima, means = [], []
    for frame in planes(out, "yuv444p10le", 300, 200, (1, 1, 1)):
        nits = pq_nits(signal(*frame)).max(axis=-1)
        maxima.append(nits.max())
        means.append(nits.mean())
    most, mean, _ = light(probe(out))
    near("MaxCLL", most, max(maxima), absolute=1)
    near("MaxFALL", mean, max(means), absolute=1)
    check("frames differ", max(means) > 2 * min(means), means)


def still(rawdev, raw, folder, size):
    """Our still of a raw in HLG: R', G', B'."""
    run(rawdev, "develop", raw, "-o", folder / "still.png", "--format", "png-hlg", "--max-size",
        size)
    return imagecodecs.png_decode((folder / "still.png").read_bytes()).astype(float) / 65535


def test_pixels(rawdev, tmp):
    """Lossless x265 holds the codes of our still, ProRes 4444 nearly."""
    folder = clip(tmp / "clip", 1)
    wanted = still(rawdev, folder / "frame-00001.dng", tmp, 1200)
    height, width = wanted.shape[:2]
    red, blue = material.BT2020
    y = wanted @ [red, 1 - red - blue, blue]
    codes = [64 + 876 * y, 512 + 896 * (wanted[..., 2] - y) / (2 * (1 - blue)),
             512 + 896 * (wanted[..., 0] - y) / (2 * (1 - red))]
    for name, words, mean, within, most in (
            ("x265", ("--quality", "1", "--chroma", "444"), 0.005, 1, 1),
            # At the finest step of the encoder; 0.305 by the noise of this scene.
            ("ProRes 4444", ("--codec", "prores-4444"), 0.31, 0.98, 4)):
        out = tmp / f"{name.split()[0]}.mov"
        film(rawdev, folder, "-o", out, *words)
        pixels = probe(out)["pix_fmt"]
        frame = planes(out, pixels, width, height, (1, 1, 1))[0]
        scale = 4 if "12" in pixels else 1
        for plane, code, got in zip("Y Cb Cr".split(), codes, frame):
            got = np.floor(got.reshape(height, width) / scale + 0.5)
            difference = np.abs(got - np.round(code))
            check(f"{name}, {plane}: mean", difference.mean() <= mean, difference.mean())
            check(f"{name}, {plane}: largest", difference.max() <= most, difference.max())
            share = (difference <= 1).mean()
            check(f"{name}, {plane}: within one", share >= within, share)


def test_static_scene(rawdev, tmp):
    """Frames that are the same come out the same: nothing is measured frame by frame."""
    out = tmp / "a.mov"
    film(rawdev, clip(tmp / "clip", 5), "-o", out, "--quality", "1", "--size", "300,200")
    frames = planes(out, "yuv420p10le", 300, 200, (1, 4, 4))
    for number, frame in enumerate(frames[1:], 2):
        same(f"frame {number}",
             [bool((a == b).all()) for a, b in zip(frame, frames[0])], [True] * 3)


def test_key_frames(rawdev, tmp):
    """Exposure runs smoothly between two sidecars."""
    out, folder = tmp / "a.mov", clip(tmp / "clip", 9)
    sidecar(folder, 1, "raw: {exposure: -3}\n")
    sidecar(folder, 9, "raw: {exposure: -1}\n")
    done = film(rawdev, folder, "-o", out, "--quality", "1", "--size", "300,200")
    check("says so", "2 key frames" in done.stderr, done.stderr)
    means = [frame[0].mean() for frame in planes(out, "yuv420p10le", 300, 200, (1, 4, 4))]
    steps = np.diff(means)
    check("brighter with every frame", (steps > 0).all(), steps)
    check("no jump", steps.max() < 3 * steps.min(), steps)


def test_stills_and_movies(rawdev, tmp):
    """Mixed kinds become one by the rules, and a film is converted as stills are."""
    folder = clip(tmp / "clip", 2)
    raw = folder / "frame-00001.dng"
    for name, format in (("sdr.jpg", "jpeg-sdr"), ("pq.heic", "heif-pq"), ("hlg.heic", "heif-hlg")):
        run(rawdev, "develop", raw, "-o", tmp / name, "--format", format, "--max-size", "300")
    for names, transfer in ((["sdr.jpg"], "bt709"), (["sdr.jpg", "pq.heic"], "smpte2084"),
                            (["pq.heic", "hlg.heic"], "arib-std-b67")):
        out = tmp / "mix.mp4"
        film(rawdev, *[tmp / name for name in names], "-o", out, "--overwrite",
             "--still-seconds", "0.2")
        found = probe(out)
        same(f"{names}: transfer", found["color_transfer"], transfer)
        same(f"{names}: frames", found["nb_read_packets"], str(5 * len(names)))
    film(rawdev, folder, "-o", tmp / "pq.mov", "--format", "pq", "--size", "300,200")
    for name, words, transfer in (("kept.mp4", (), "smpte2084"),
                                  ("hlg.mp4", ("--format", "hlg"), "arib-std-b67"),
                                  ("sdr.mp4", ("--format", "sdr", "--codec", "h264"), "bt709")):
        film(rawdev, tmp / "pq.mov", "-o", tmp / name, *words)
        found = probe(tmp / name)
        same(f"{name}: transfer", found["color_transfer"], transfer)
        same(f"{name}: frames", found["nb_read_packets"], "2")
    same("the display stays", light(probe(tmp / "kept.mp4"))[2], light(probe(tmp / "pq.mov"))[2])


def test_sound(rawdev, tmp):
    folder = clip(tmp / "clip", 6)
    for name, seconds, codec in (("long.m4a", 3, "aac"), ("short.m4a", 0.1, "aac"),
                                 ("pcm.wav", 1, "pcm_s16le")):
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=duration={seconds}",
                        "-c:a", codec, tmp / name], check=True)
    for name in ("long.m4a", "short.m4a"):
        out = tmp / "a.mp4"
        film(rawdev, folder, "-o", out, "--audio", tmp / name, "--size", "300,200", "--overwrite")
        same(f"{name}: all frames", probe(out)["nb_read_packets"], "6")
        length = float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of",
                           "csv=p=0", out, text=True))
        check(f"{name}: no longer than the film", length < 6 * 1001 / 24000 + 0.05, length)
    done = attempt(rawdev, "film", folder, "-o", tmp / "b.mp4", "--audio", tmp / "pcm.wav")
    same("PCM in .mp4: exit code", done.returncode, 2)
    check("PCM in .mp4: says what to do", ".mov" in done.stderr, done.stderr)
    film(rawdev, folder, "-o", tmp / "b.mov", "--audio", tmp / "pcm.wav", "--size", "300,200")


@pytest.mark.full
def test_players(rawdev, tmp):
    """mpv, where it is installed, plays every kind to its end."""
    if not shutil.which("mpv"):
        pytest.skip("needs mpv")
    folder = clip(tmp / "clip", 6)
    for codec, ending, format in CODECS:
        out = tmp / f"{codec}-{format}.{ending}"
        film(rawdev, folder, "-o", out, "--codec", codec, "--format", format, "--size", "300,200")
        done = attempt("mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", out)
        same(f"{out.name}: mpv", done.returncode, 0)
