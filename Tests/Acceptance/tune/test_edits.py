"""No edit of the page is lost, or comes into the sidecar of another picture, whatever happens."""
import contextlib
import io
import json
import os
import re
import signal
import socket
import tarfile

import pytest

from batch import material
from support.checks import check, none, same
from support.program import disk, run, wait_for
from tune.tune import Server, page, served

pytestmark = pytest.mark.full


@pytest.fixture
def port():
    """A port that is free: pages go on when a server is started again on the same."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@contextlib.contextmanager
def started_again(bench, tune, folder, port):
    """The server started again, once the page has found it."""
    with served(bench, folder, "--port", port) as server:
        is_back(tune)
        yield server


def kill(server, tune):
    """Ends the server as a system does that runs out of memory."""
    server.end(signal.SIGKILL)
    tune.says("does not answer")


def is_back(tune):
    """Waits until the page has found the server that was started again."""
    tune.page.get_by_text("Changes are kept as long").wait_for(state="detached")


def sidecars(folder):
    """What the sidecars of a folder say, by the names of the raws."""
    texts = {}
    for path in folder.glob("*.rawdev.yaml"):
        # Some may be removed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            texts[path.name.removesuffix(".rawdev.yaml")] = path.read_text()
    return texts


def many(bench, shoot, count):
    """A folder of a number of raws."""
    folder = bench.make("many")
    for number in range(count):
        os.link(shoot / "b.dng", folder / f"{number:04}.dng")
    return folder


def paste(tune, count):
    """Selects all, and pastes to a number of raws; returns the dialog."""
    tune.strip.get_by_role("listbox").press("Control+a")
    tune.key("c")
    dialog = tune.page.get_by_role("dialog", name="Copy settings")
    dialog.get_by_role("button", name=f"Paste to {count} pictures").click()
    return dialog


def change_files(shoot, how):
    if how == "added":
        material.raw(shoot / "0.dng", shoot / "a.dng")
    elif how == "removed":
        (shoot / "a.dng").unlink()
    elif how == "renamed":
        (shoot / "a.dng").rename(shoot / "z.dng")
    else:
        (shoot / "b.dng").rename(shoot / "d.dng")
        (shoot / "a.dng").rename(shoot / "b.dng")


@pytest.mark.parametrize("how", ["added", "removed", "renamed"])
def test_a_restart_on_a_changed_folder(bench, chromium, shoot, port, how):
    first = Server(bench, shoot, "--port", port)
    with page(chromium, first.url, quiet=False) as tune:
        tune.open("b.dng").by_hand().type("Exposure", 1.5)
        kill(first, tune)
        change_files(shoot, how)
        with started_again(bench, tune, shoot, port):
            same("the picture is the one that it was", tune.opened("b.dng").value("Exposure"), 1.5)
            tune.save()
            same("its sidecar has the edit, no other", list(sidecars(shoot)), ["b.dng"])
            check("which is that of the page", "exposure: 1.5" in sidecars(shoot)["b.dng"])
            tune.page.reload()
            same("the address leads to the same", tune.opened("b.dng").value("Exposure"), 1.5)
            for name in sorted(path.name for path in shoot.glob("*.dng")):
                same(f"{name} has its own edit", tune.open(name).value("Exposure"),
                     1.5 if name == "b.dng" else 0)


def test_another_picture_under_the_same_name(bench, chromium, shoot, port):
    first = Server(bench, shoot, "--port", port)
    with page(chromium, first.url, quiet=False) as tune:
        tune.open("b.dng").by_hand().type("Exposure", 1.5)
        address = tune.page.url
        kill(first, tune)
        tune.type("Exposure", 2)
        change_files(shoot, "exchanged")
        with started_again(bench, tune, shoot, port):
            tune.says("b.dng is another picture now")
            same("what is there now is shown", tune.opened("b.dng").value("Exposure"), 0)
            same("nothing is saved", sidecars(shoot), {})
            tune.page.goto(address)
            tune.page.reload()
            tune.says("no longer in the folder")
            wait_for(lambda: tune.picture("b.dng").count())
            same("what is there now is as it is", tune.open("b.dng").value("Exposure"), 0)
            tune.type("Exposure", -1).save()
            same("and has its own sidecar", list(sidecars(shoot)), ["b.dng"])
            tune.says("b.dng is in the journal").index("another picture")
            tune.button("Discard").click()
            tune.page.get_by_text("b.dng is in the journal").wait_for(state="detached")
            check("the other edit is given up only when it is said so",
                  "exposure: -1" in sidecars(shoot)["b.dng"])


@pytest.mark.root
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_failed_save_belongs_to_its_picture(bench, chromium, shoot, port, is_killed):
    small = bench.make("small")
    with disk(small, "size=9M"):
        for name in "ab":
            material.raw(small / f"{name}.dng", shoot / "b.dng")
        theirs = "raw: {exposure: 0.75, saturation: 0.4}\n"
        material.sidecar(small / "b.dng").write_text(theirs)
        server = Server(bench, small, "--port", port)
        with page(chromium, server.url, quiet=False) as tune:
            space = os.statvfs(small)
            (small / "fill").write_bytes(bytes(space.f_bavail * space.f_frsize))
            tune.opened("a.dng").type("Exposure", 1)
            said = tune.says("Not saved: a.dng")
            check("the reason is said", "full" in said and "a.dng.rawdev.yaml" in said, said)
            tune.open("b.dng")
            if is_killed:
                kill(server, tune)
                server = Server(bench, small, "--port", port)
                is_back(tune)
            tune.says("Not saved: a.dng")
            check("it cannot be closed", not tune.page.locator(
                ".message", has_text="Not saved: a.dng").get_by_label("Close").count())
            tune.button("Try again").click()
            tune.says("Not saved: a.dng")
            same("another picture is not written", sidecars(small), {"b.dng": theirs})
            (small / "fill").unlink()
            # By the button or by itself, whichever is first.
            tune.button("Try again").evaluate_all("all => all.forEach(each => each.click())")
            check("with room it is kept", wait_for(lambda: "a.dng" in sidecars(small)))
            check("for the picture that it is of", "exposure: 1" in sidecars(small)["a.dng"])
            same("the other is as it was", sidecars(small)["b.dng"], theirs)
            tune.page.get_by_text("Not saved").wait_for(state="detached")
        server.end()
        none("nothing half is left", [path.name for path in small.glob(".*rawdev-tmp")])


@pytest.mark.root
def test_a_full_disk_leaves_the_old_sidecar(bench, chromium, shoot):
    small = bench.make("small")
    with disk(small, "size=6M"):
        sidecar = material.sidecar(material.raw(small / "a.dng", shoot / "b.dng"))
        old = "raw: {exposure: 0.5}\n"
        sidecar.write_text(old)
        with served(bench, small) as server, page(chromium, server.url, quiet=False) as tune:
            space = os.statvfs(small)
            (small / "fill").write_bytes(bytes(space.f_bavail * space.f_frsize))
            tune.opened("a.dng").type("Exposure", 1)
            tune.says("Not saved: a.dng")
            same("the old sidecar stays", sidecar.read_text(), old)
            tune.page.reload()
            same("the edit does, too", tune.opened("a.dng").value("Exposure"), 1)
            tune.says("Not saved: a.dng")
            (small / "fill").unlink()
            check("with room it is saved by itself",
                  wait_for(lambda: "exposure: 1}" in sidecar.read_text()), sidecar.read_text())
            tune.kept()
        none("nothing half is left", [path.name for path in small.glob(".*rawdev-tmp")])


@pytest.mark.root
def test_a_folder_that_cannot_be_written(bench, chromium, shoot):
    small = bench.make("small")
    with disk(small, "size=9M"):
        for name in "ab":
            material.raw(small / f"{name}.dng", shoot / "b.dng")
        run("mount", "-o", "remount,ro", small)
        with served(bench, small) as server, page(chromium, server.url, quiet=False) as tune:
            tune.opened("a.dng")
            tune.says("cannot be written")
            for name, value in (("a.dng", 1), ("b.dng", 2)):
                tune.open(name).type("Exposure", value)
            same("it is said once", tune.page.get_by_text("cannot be written").count(), 1)
            tune.page.reload()
            same("the edits are there", tune.opened("b.dng").value("Exposure"), 2)
            tune.says("cannot be written")
            with tune.page.expect_download() as download:
                tune.button("Export as recipes").click()
            with tarfile.open(fileobj=io.BytesIO(download.value.path().read_bytes())) as archive:
                texts = {each.name: archive.extractfile(each).read().decode() for each in archive}
            same("recipes have them", texts, {
                f"{name}.dng.rawdev.yaml": f"schema: 1\nraw:\n  exposure: {value}\n"
                for name, value in (("a", 1), ("b", 2))})
            run("mount", "-o", "remount,rw", small)
            check("once it can be, they are saved", wait_for(lambda: len(sidecars(small)) == 2))


@pytest.mark.parametrize("is_killed", [False, True])
def test_many_edits_and_a_reload(bench, chromium, shoot, port, is_killed):
    folder = many(bench, shoot, 70)
    server = Server(bench, folder, "--port", port)
    with page(chromium, server.url, quiet=False) as tune:
        tune.opened("0000.dng").by_hand()
        tune.type("Exposure", 0.5)
        tune.type("Exposure", 1)
        dialog = paste(tune, 69)
        dialog.wait_for(state="hidden")
        tune.open("0003.dng").type("Vibrance", 50)
        tune.type("Contrast", 25)
        same("nothing is saved unasked", sidecars(folder), {})
        if is_killed:
            kill(server, tune)
            server = Server(bench, folder, "--port", port)
            is_back(tune)
        asked = []
        tune.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        tune.page.reload()
        tune.opened("0003.dng")
        none("the browser asks nothing", asked)
        same("the values are there", [tune.value(name) for name in (
            "Exposure", "Vibrance", "Contrast")], [1, 50, 25])
        names, now = tune.history()
        same("the history is", [names[0], names[1], len(names), now],
             ["Opened", "Paste to 69 pictures", 4, 3])
        tune.key("Control+z")
        same("and can be undone", [tune.value("Contrast"), tune.value("Vibrance")], [0, 50])
        tune.key("e")
        develop = tune.page.get_by_role("dialog", name="Develop")
        develop.get_by_label(re.compile("^All 70")).check()
        develop.get_by_label("Format").select_option("jpeg-sdr")
        develop.get_by_label("Longer side at most").select_option("1080")
        develop.get_by_role("button", name="Develop 70 pictures").click()
        develop.get_by_text("Developed: 70 of 70.").wait_for()
        same("all are exported, too", len(list((folder / "developed").iterdir())) >= 70, True)
        develop.get_by_label("Close").click()
        tune.choose("Save all pictures")
        tune.says("Everything is saved")
        same("all are saved at once", len(sidecars(folder)), 70)
    server.end()


def held(tune):
    """Keeps the page from following what others do; returns what lets it go on."""
    waiting = []
    tune.page.route("**/document", lambda route: waiting.append(route))

    def release():
        for route in waiting:
            route.continue_()
        tune.page.unroute("**/document")
    return release


def test_two_tabs(bench, chromium, shoot, port):
    server = Server(bench, shoot, "--port", port)
    with contextlib.ExitStack() as opened:
        one, two = [opened.enter_context(page(chromium, server.url, quiet=False)) for _ in "12"]
        one.open("a.dng")
        two.open("a.dng")
        release = held(two)
        one.type("Exposure", 1)
        two.type("Vibrance", 50)
        check("what both set is saved", wait_for(
            lambda: {"exposure: 1", "vibrance: 0.5"}.issubset(
                line.strip() for line in sidecars(shoot).get("a.dng", "").splitlines())))
        release()
        for tab in (one, two):
            check("and shown by both", wait_for(lambda tab=tab: [
                tab.settled().value(name) for name in ("Exposure", "Vibrance")] == [1, 50]))
            none("nobody is asked", tab.page.get_by_role("dialog").all())
        # The same property, in the one while the other cannot know.
        for button, value in (("Keep mine", 3), ("Take the other page’s", 4)):
            one.kept(), two.kept()
            release = held(two)
            one.type("Exposure", value + 1 if button == "Keep mine" else value)
            two.type("Exposure", value if button == "Keep mine" else value + 1)
            question = two.page.get_by_role("dialog", name="Another page changed a.dng")
            check("only the property is asked", "Vibrance" not in question.inner_text())
            question.get_by_role("button", name=button).click()
            release()
            for tab in (one, two):
                check(f"both show it: {button}", wait_for(
                    lambda tab=tab, value=value: tab.settled().value("Exposure") == value),
                    tab.value("Exposure"))
            check("it is saved", wait_for(
                lambda value=value: f"exposure: {value}" in sidecars(shoot)["a.dng"]))
        # What one of them just did when the server is killed.
        one.by_hand().type("Contrast", 25)
        kill(server, one)
        with started_again(bench, one, shoot, port):
            for tab in (one, two):
                check("both have it after a restart", wait_for(
                    lambda tab=tab: tab.settled().value("Contrast") == 25))


def test_paste_over_500_and_undo(bench, chromium, shoot):
    folder = many(bench, shoot, 501)
    kept = "# by hand\nraw: {contrast: 0.5}\n"
    material.sidecar(folder / "0200.dng").write_text(kept)
    with served(bench, folder) as server, page(chromium, server.url) as tune, \
            page(chromium, server.url) as other:
        other.open("0003.dng")
        tune.opened("0000.dng").type("Exposure", 1)
        tune.open("0001.dng").type("Vibrance", 50)
        tune.open("0000.dng")
        paste(tune, 500)
        tune.says("Pasted to 500 of 500 pictures.")
        texts = sidecars(folder)
        same("all have it, the source, too",
             sum("exposure: 1" in text for text in texts.values()), 501)
        check("an open picture is updated", wait_for(
            lambda: other.settled().value("Exposure") == 1))
        same("there is no conflict with oneself", [
            tune.open("0001.dng").value(name) for name in ("Exposure", "Vibrance")], [1, 50])
        tune.open("0000.dng").key("Control+z")
        tune.says("Undone in all pictures")
        check("one step takes it back in all of them", wait_for(
            lambda: sorted(sidecars(folder)) == ["0000.dng", "0001.dng", "0200.dng"]),
            len(sidecars(folder)))
        check("also where more was set", wait_for(
            lambda: "exposure" not in sidecars(folder)["0001.dng"]))
        check("and byte for byte", wait_for(lambda: sidecars(folder)["0200.dng"] == kept))
        check("the source keeps its own", "exposure: 1" in sidecars(folder)["0000.dng"])
        check("an open picture is updated again", wait_for(
            lambda: other.settled().value("Exposure") == 0))
        tune.key("Control+Shift+z")
        check("and it can be done again", wait_for(lambda: len(sidecars(folder)) == 501))


@pytest.mark.parametrize("what", ["paste", "undo"])
def test_killed_in_the_middle_of_many(bench, chromium, shoot, port, what):
    folder = many(bench, shoot, 101)
    server = Server(bench, folder, "--port", port)
    with page(chromium, server.url, quiet=False) as tune:
        tune.opened("0000.dng").type("Exposure", 1).kept()
        dialog = paste(tune, 100)
        if what == "undo":
            dialog.wait_for(state="hidden")
            same("all have it", len(sidecars(folder)), 101)
            tune.key("Control+z")
        wait_for(lambda: 10 < len(list(folder.glob("*.yaml"))) < 95, step=0.001)
        kill(server, tune)
        if what == "paste" and dialog.is_visible():
            dialog.get_by_label("Close").click()
        wanted = 1 if what == "undo" else 101
        with started_again(bench, tune, folder, port):
            check("it is done to its end", wait_for(lambda: len(sidecars(folder)) == wanted),
                  len(sidecars(folder)))
            none("no sidecar is half", [
                name for name, text in sidecars(folder).items()
                if text != "schema: 1\nraw:\n  exposure: 1\n"])
            none("nothing else is left", [path.name for path in folder.glob(".*rawdev-tmp")])
            tune.opened("0000.dng").key("Control+z" if what == "paste" else "Control+Shift+z")
            check("it can still be undone and done again", wait_for(
                lambda: len(sidecars(folder)) == (1 if what == "paste" else 101)))


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_slider_and_the_next_picture_at_once(bench, chromium, shoot, port, is_killed):
    server = Server(bench, shoot, "--port", port)
    with page(chromium, server.url, quiet=False) as tune:
        tune.open("a.dng")
        tune.slider("Exposure").focus()
        for _ in range(4):
            tune.page.keyboard.press("ArrowRight")
        tune.open("b.dng")
        if is_killed:
            kill(server, tune)
            server = Server(bench, shoot, "--port", port)
            is_back(tune)
        same("the next picture is as it was", tune.settled().value("Exposure"), 0)
        same("and has no step", tune.history(), (["Opened"], 0))
        check("the value is that of its picture",
              wait_for(lambda: "exposure: 0.2" in sidecars(shoot).get("a.dng", "")))
        same("no other sidecar is made", list(sidecars(shoot)), ["a.dng"])
        tune.open("a.dng")
        same("the step has its name and is one", tune.history(),
             (["Opened", "Exposure 0.20 stops"], 1))
        tune.key("Control+z")
        same("undone, it is gone", tune.value("Exposure"), 0)
        check("from the sidecar, too", wait_for(lambda: not sidecars(shoot)))
    server.end()


def test_a_gesture_just_before_the_kill(bench, chromium, shoot, port):
    server = Server(bench, shoot, "--port", port)
    with page(chromium, server.url, quiet=False) as tune:
        tune.open("a.dng")
        with tune.page.expect_response("**/steps"):
            tune.type("Exposure", 1)
        kill(server, tune)
        tune.type("Vibrance", 50)
        server = Server(bench, shoot, "--port", port)
        wanted = {"a.dng": "schema: 1\nraw:\n  exposure: 1\n  vibrance: 0.5\n"}
        check("both are saved after the restart", wait_for(lambda: sidecars(shoot) == wanted),
              json.dumps(sidecars(shoot)))
        is_back(tune)
        same("and steps of the history", len(tune.history()[0]), 3)
    server.end()
