"""rawdev tune in a browser: the server, its page as people use it, and raws whose light is known.

What is asked of the page goes by roles and labels; nothing in it is there for these tests.
"""
import contextlib
import json
import re
import signal

import imagecodecs
import numpy as np
import tifffile

from readers.synthetic import BYTE, SHORT, SRATIONAL, linear_dng
from support.checks import check, none
from support.program import PATIENCE, run

SDR = ["--format", "png-sdr", "--bits", "8", "--color-space", "srgb"]
WINDOW = {"width": 1280, "height": 720}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
# Not busy, and with a picture in the middle.
SETTLED = """viewer => {
  const canvas = viewer.querySelector('canvas');
  const middle = [canvas.width >> 1, canvas.height >> 1, 1, 1];
  return viewer.getAttribute('aria-busy') === 'false'
    && canvas.getContext('2d').getImageData(...middle).data[3] === 255;
}"""


class Server:
    """A running `rawdev tune`."""

    def __init__(self, bench, folder, *options):
        self.bench = bench
        # Tokens of fixed ports and snapshots are kept there.
        env = bench.env | {"XDG_RUNTIME_DIR": str(bench.folder),
                           "XDG_STATE_HOME": str(bench.folder / "state"),
                           "XDG_CONFIG_HOME": str(bench.folder / "config")}
        self.process = bench.start("tune", folder, "--no-open", *options, env=env)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url.startswith("http://"):
            raise RuntimeError(f"no address but {self.url!r}: {self.process.stderr.read()!r}")
        self.port = int(re.search(r":(\d+)/", self.url)[1])
        self.token = self.url.partition("token=")[2]

    def end(self, number=signal.SIGINT):
        return self.bench.finish(self.process, number)


@contextlib.contextmanager
def served(bench, folder, *options):
    """A server of `folder`, which must end cleanly at Ctrl-C."""
    server = Server(bench, folder, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            ended = server.end()
            check("Ctrl-C ends the server with 0", ended.code == 0, ended.messages)


class Page:
    """The page in a browser window of its own."""

    def __init__(self, browser, url, window=WINDOW, **more):
        self.context = browser.new_context(viewport=window, device_scale_factor=1, **more)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.messages, self.requests = [], []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(url)
        self.viewer = self.page.get_by_role("region", name="Picture", exact=True)
        self.strip = self.page.get_by_role("navigation", name="Pictures of the folder")

    def button(self, name, **more):
        return self.page.get_by_role("button", name=name, exact=True, **more)

    def picture(self, name):
        """A picture of the film strip."""
        return self.strip.get_by_role("option", name=re.compile(rf"^{re.escape(name)}(,|$)"))

    def opened(self, name):
        """Waits until this picture is open, as the first one is by itself."""
        self.page.get_by_role("heading", name=name).wait_for()
        return self.settled()

    def open(self, name):
        """Opens a picture by its name in the film strip."""
        self.picture(name).click()
        self.page.get_by_role("heading", name=name).wait_for()
        return self.settled()

    def settled(self):
        """Waits until there is a picture and it is that of the values of now."""
        self.page.wait_for_function(SETTLED, arg=self.viewer.element_handle())
        return self

    def says(self, text):
        """Waits for a message."""
        message = self.page.get_by_role("status").get_by_text(text).first
        message.wait_for()
        return message.text_content()

    # Controls

    def find(self, name):
        """Shows the controls that have these words."""
        # Small screens have a tab for each group, and one for all.
        self.page.get_by_role("tab", name=re.compile("^(Adjust|All)$")).click()
        self.page.get_by_role("searchbox", name="Find a control").fill(name)

    def is_marked(self, name):
        """Whether the control says that it is changed, and can be reset by a button."""
        self.find(name)
        return self.button(f"Reset {name}").count() > 0

    def slider(self, name):
        self.find(name)
        return self.page.get_by_role("slider", name=name, exact=True)

    def field(self, name):
        self.find(name)
        return self.page.get_by_role(
            "textbox", name=re.compile(rf"^{re.escape(name)}(, .*)?$")).first

    def value(self, name):
        """What a control shows, once it shows something."""
        field = self.field(name)
        self.page.wait_for_function("field => field.value !== ''", arg=field.element_handle())
        return float(field.input_value().replace("−", "-"))

    def type(self, name, value):
        """Types a number into the field of a control."""
        field = self.field(name)
        field.fill(str(value))
        field.press("Enter")
        return self.settled()

    def key(self, *keys):
        """Presses keys on the picture."""
        self.viewer.focus()
        for key in keys:
            self.page.keyboard.press(key)
        return self.settled()

    def save(self):
        self.key("Control+s")
        return self.kept().says("Saved")

    def kept(self):
        """Waits until the sidecar gives what is seen."""
        self.page.wait_for_function("() => !document.title.startsWith('•')")
        return self

    def choose(self, name):
        """Chooses an item of the menu beside Save."""
        self.button("Other ways to save").click()
        self.page.get_by_role("menu").locator("button", has_text=name).first.click()

    def by_hand(self):
        """Saves from now on only when it is said so."""
        self.choose("When I say so")
        return self

    def history(self):
        """The steps of the history that are there, the oldest first, and the one that holds."""
        self.page.get_by_role("tab", name="History").click()
        steps = self.page.locator("#steps button").all()
        names = [step.text_content() for step in steps][::-1]
        now = [step.get_attribute("aria-current") for step in steps][::-1]
        return names, now.index("step")

    def complaints(self):
        """What axe-core finds against WCAG 2.2 AA, and its best practices."""
        # Not installed for what runs at every change.
        from axe_playwright_python.sync_playwright import Axe
        options = {"rules": {"target-size": {"enabled": True}}}
        found = Axe().run(self.page, options=options).response["violations"]
        return [f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
                for each in found for node in each["nodes"]]

    # The picture

    def zoom(self, name):
        self.page.get_by_role("group", name="Zoom").get_by_role(
            "button", name=name, exact=True).click()
        return self.settled()

    def seen(self):
        """What is seen of the picture and around it: pixels of the viewer, RGB, without the
        messages that lie over them."""
        self.page.mouse.move(1, 1)
        self.page.evaluate("() => { document.getElementById('messages').style.opacity = 0; }")
        shot = self.viewer.locator("canvas").first.screenshot()
        self.page.evaluate("() => { document.getElementById('messages').style.opacity = ''; }")
        return imagecodecs.png_decode(shot)[..., :3]

    def place(self, size):
        """The part of the viewer that a picture of this size has at 100 %, and the part of the
        picture that is seen, as slices of rows and columns."""
        rows, columns = self.seen().shape[:2]
        there, here = [], []
        for box, length in ((rows, size[0]), (columns, size[1])):
            first = round(box / 2 - length / 2)
            start, end = max(first, 0), min(first + length, box)
            there.append(slice(start, end))
            here.append(slice(start - first, end - first))
        return tuple(there), tuple(here)

    def point(self, x, y, size):
        """Where a pixel of a picture of this size is in the window, at 100 % and centered."""
        box = self.viewer.locator("canvas").first.bounding_box()
        return (box["x"] + round(box["width"] / 2 - size[1] / 2) + x + 0.5,
                box["y"] + round(box["height"] / 2 - size[0] / 2) + y + 0.5)

    def close(self, quiet=True):
        """Closes the window; in it nothing went wrong, and no other host was asked."""
        if quiet:
            # A request that a later one replaces, or a sidecar that changed, is answered with 409;
            # what is said of reading pixels back is about these tests.
            none("no message on the console", [
                text for text in self.messages
                if "409 (Conflict)" not in text and "willReadFrequently" not in text])
        none("no request to another host", [
            url for url in self.requests
            if not url.startswith(("http://127.0.0.1:", "http://localhost:", "blob:", "data:"))])
        self.context.close()


@contextlib.contextmanager
def page(browser, url, quiet=True, **more):
    opened = Page(browser, url, **more)
    try:
        yield opened
    finally:
        opened.close(quiet)


def properties(rawdev):
    return json.loads(run(rawdev, "properties", "--json"))


def developed(rawdev, raw, folder, *options):
    """What `rawdev develop` writes of a raw with its sidecar, 8 bits in sRGB."""
    path = folder / f"{raw.stem}-developed.png"
    run(rawdev, "develop", raw, "-o", path, "--overwrite", *(options or SDR))
    return imagecodecs.png_decode(path.read_bytes())[..., :3]


def difference(tune, picture, seen=None):
    """Largest difference at 100 % between what is seen and this picture, in codes. Where its middle
    is between two pixels of the viewer, it may lie at either."""
    (rows, columns), (y, x) = tune.place(picture.shape)
    seen = (tune.seen() if seen is None else seen)[rows, columns].astype(int)[2:-2, 2:-2]
    height, width = seen.shape[:2]
    found = []
    for down in range(5):
        for right in range(5):
            top, left = y.start + down, x.start + right
            part = picture[top:top + height, left:left + width]
            if part.shape == seen.shape:
                found.append(int(np.abs(seen - part).max()))
    return min(found)


# Raws

WHITE = 60_000
PATCH = 80


def patches(path, rows, baseline=0):
    """A Bayer DNG of patches, `rows` of them with levels of red, green and blue, 1 = saturated, of
    a camera whose colors are BT.2020."""
    levels = np.kron(np.array(rows, float), np.ones((PATCH, PATCH, 1)))
    codes = np.minimum(levels * WHITE, 65535).round().astype(np.uint16)
    mosaic = codes[..., 1].copy()
    mosaic[::2, ::2], mosaic[1::2, 1::2] = codes[::2, ::2, 0], codes[1::2, 1::2, 2]
    tags = linear_dng(
        "rawdev patches", WHITE, (33421, SHORT, 2, [2, 2]), (33422, BYTE, 4, b"\0\1\1\2"),
        (50730, SRATIONAL, 1, [baseline, 1]))
    tifffile.imwrite(path, mosaic, byteorder="<", **(tags | {"photometric": 32803}))
    return path


def patch(picture, row, column):
    """The middle of a patch of a picture, or of what is seen of it."""
    rows, columns = (slice(n * PATCH + PATCH // 4, (n + 1) * PATCH - PATCH // 4)
                     for n in (row, column))
    return picture[rows, columns].reshape(-1, 3).astype(float)
