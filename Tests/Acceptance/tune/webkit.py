"""WebKitGTK without a screen, by the W3C WebDriver protocol of Debian's webkit2gtk-driver."""
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from support.program import PATIENCE

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
DRIVER = "WebKitWebDriver"


def is_here():
    return bool(shutil.which(DRIVER) and shutil.which("Xvfb") and browser())


def browser():
    """The browser that comes with the library."""
    return next(iter(sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))), None)


class Window:
    """A window of the browser."""

    def __init__(self, address, width, height):
        self.address = address
        options = {"binary": browser(), "args": ["--automation"]}
        answer = self.ask("POST", "", {"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": options}}}, session=False)
        self.address += "/session/" + answer["sessionId"]
        self.ask("POST", "/window/rect", {"width": width, "height": height})

    def ask(self, method, path, body=None, session=True):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        url = self.address + (path if session else "/session")
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read()[:500]!r}") from error

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script, *arguments):
        """What the script gives once that is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script, *arguments)) and time.monotonic() < end:
            time.sleep(0.05)
        return value

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click")

    def keys(self, selector, text):
        self.ask("POST", f"/element/{self.find(selector)}/value", {"text": text})



@contextlib.contextmanager
def window(width, height):
    """A window on a display of its own; all that was started for it ends with it."""
    started = []
    with tempfile.TemporaryDirectory(prefix="rawdev-webkit-") as home:
        try:
            reading, writing = os.pipe()
            started.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0",
                 "1920x1600x24"], pass_fds=[writing],
                stderr=subprocess.DEVNULL, start_new_session=True))
            os.close(writing)
            with open(reading, encoding="ascii") as pipe:
                display = pipe.readline().strip()
            env = os.environ | {
                "DISPLAY": f":{display}", "HOME": home, "XDG_RUNTIME_DIR": home,
                "XDG_CACHE_HOME": home, "XDG_DATA_HOME": home, "GDK_BACKEND": "x11",
                "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
                "NO_AT_BRIDGE": "1"}
            driver = subprocess.Popen(
                [DRIVER, "--port=0", "--host=127.0.0.1"], env=env, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            started.append(driver)
            yield Window(f"http://127.0.0.1:{port(driver.pid)}", width, height)
        finally:
            for process in reversed(started):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def port(pid):
    """The port that a program listens on: the driver does not say which one it took."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        links = (os.readlink(path) for path in glob.glob(f"/proc/{pid}/fd/*")
                 if os.path.lexists(path))
        inodes = {found[1] for found in map(re.compile(r"socket:\[(\d+)\]").match, links) if found}
        with open("/proc/net/tcp", encoding="ascii") as table:
            for row in map(str.split, table):
                if row[3] == "0A" and row[9] in inodes:
                    return int(row[1].rpartition(":")[2], 16)
        time.sleep(0.02)
    raise RuntimeError(f"{DRIVER} does not listen")
