"""Help begins with what people need, and a wrong word gets the right one."""
import re

from PIL import Image

from support.checks import check, same
from support.program import attempt, run


def options(text):
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.M))


def test_options_in_the_order_of_need(rawdev):
    for words in (["develop", "--help"], ["help", "develop"]):
        text = run(rawdev, *words, text=True)
        check("short", 20 <= len(options(text)) <= 40, len(options(text)))
        check("what people need", {"--exposure", "--look", "--format"} <= options(text))
        check("says where the others are", text.endswith("--help-all lists all options.\n"), text)
    every = [run(rawdev, *words, text=True)
             for words in (["develop", "--help-all"], ["help", "develop", "--help-all"])]
    same("both ways", *every)
    check("all", {"--grain-amount", "--content-light", "--timeout"} <= options(every[0]))
    completions = run(rawdev, "--generate-completion-script", "bash", text=True)
    check("completed", all(option in completions for option in options(every[0])))


def test_wrong_words(rawdev, tmp):
    for words, said in ((["devlop", "a.dng"], "did you mean develop?"),
                        (["xyzzy"], "rawdev --help lists them")):
        done = attempt(rawdev, *words)
        same("exit code", done.returncode, 2)
        check("suggests", said in done.stderr, done.stderr)
    Image.new("RGB", (8, 8)).save(tmp / "finished.jpg")
    done = attempt(rawdev, "develop", tmp / "finished.jpg", "-o", tmp / "a.heic")
    same("exit code", done.returncode, 65)
    said = "(JPEG), not a raw; convert it, or use its raw (rawdev convert)"
    check("names convert", said in done.stderr, done.stderr)
