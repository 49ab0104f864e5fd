"""rawdev serve: twenty requests, early ends, nonsense, clients that go away or do not read."""
import fcntl
import json
import os
import signal
import socket
import subprocess
import termios
import threading
import time

from batch import material
from batch.bench import lines
from support.checks import check
from support.program import PATIENCE, wait_for

WEB = {"outputs": {"web": {"format": "jpeg", "maxSize": 300}}}


class Client:
    """Lines to and from a server; replies are collected as they come."""

    def __init__(self, write, read):
        self.write, self.text = write, b""
        self.thread = threading.Thread(target=self.collect, args=(read,), daemon=True)
        self.thread.start()

    def collect(self, read):
        for line in iter(read, b""):
            self.text += line

    def ask(self, id, raw=None, **request):
        source = {} if raw is None else {"in": str(raw)}
        self.write(json.dumps({"id": id, **source, **request}).encode() + b"\n")

    @property
    def events(self):
        return lines(self.text)

    def items(self):
        return {e["id"]: e for e in self.events if e["event"] == "item"}

    def status(self, name):
        return self.items().get(name, {}).get("status")

    def count(self, kind):
        return sum(e["event"] == kind for e in self.events)


def connect(place):
    link = socket.socket(socket.AF_UNIX)
    link.connect(str(place))
    return link, Client(link.sendall, link.makefile("rb").readline)


def test_standard(bench):
    """By standard input."""
    folder, out = bench.raws(20)
    raws = sorted(folder.iterdir())
    big = material.variant(material.FIXTURES[2], folder / "big.dng", 77)
    out.mkdir()
    process = bench.start("serve", "--jobs", "2", stdin=subprocess.PIPE, bufsize=0)
    client = Client(process.stdin.write, process.stdout.readline)
    to_out = {"folder": str(out)}
    for number, raw in enumerate(raws):
        client.ask(f"r{number}", raw, **to_out, recipe=WEB)
    check("twenty requests are done", wait_for(lambda: len(client.items()) == 20)
          and all(i["status"] == "done" for i in client.items().values()), client.events[-2:])
    check("replies tell how far each is", client.count("share") >= 20, client.count("share"))
    refused = client.count("refused")
    client.ask("again", raws[0], **to_out, recipe=WEB)
    client.ask("over", raws[1], **to_out, recipe=WEB, overwrite=True)
    client.ask("named", raws[2], **to_out, recipe="proof", out="a/b/c")
    client.ask("gone", folder / "none.dng", **to_out)
    client.ask("relative", "in/raw-000.dng", **to_out)
    client.ask("nowhere", raws[3])
    client.ask("outside", raws[3], **to_out, out="../escaped")
    client.ask("wrong", raws[3], **to_out, recipe={"raw": {"exposure": 99}})
    client.ask("x/y", raws[3], **to_out, recipe=5)
    wait_for(lambda: client.count("refused") > refused or "x/y" in client.items())
    refused = client.count("refused")
    for garbage in (b"garbage", b"", b"[]", b"{}", b"\xff\xfe", b'{"id": 5, "in": "x"}',
                    b"[" * 100_000, b'{"id":"e"}', b'{"id": "deep", "in": ' + b"[" * 3000):
        client.write(garbage + b"\n")
    expected = dict.fromkeys(["again", "gone", "relative", "nowhere", "outside", "wrong"], "failed")
    expected |= {"over": "done", "named": "done"}
    wait_for(lambda: set(expected) <= set(client.items()))
    found = {name: client.status(name) for name in expected}
    check("each kind of request ends as it should", found == expected,
          found.items() ^ expected.items())
    check("an output below a folder of its own", (out / "a/b/c.jpg").is_file(), os.listdir(out))
    check("nonsense is refused line by line, the server lives",
          wait_for(lambda: client.count("refused") - refused >= 8) and process.poll() is None,
          client.count("refused") - refused)
    for attempt in range(10):
        name = f"slow-{attempt}"
        client.ask(name, big, **to_out, recipe={"outputs": {name: {"format": "avif"}}})
        wait_for(lambda: any(event.get("id") == name for event in client.events))
        began = time.monotonic()
        client.ask(name, cancel=True)
        wait_for(lambda: client.status(name) is not None)
        if client.status(name) != "done":
            break
        # This machine heard of the request when it was done already.
    check("cancel ends a request under way", client.status(name) == "interrupted",
          client.items().get(name))
    bench.soon("cancel ends it", time.monotonic() - began, 5)
    client.ask("never", cancel=True)
    client.ask("last", raws[4], **to_out, out="last", recipe=WEB)
    process.stdin.close()
    process.wait(timeout=PATIENCE)
    client.thread.join(PATIENCE)
    check("the end of input ends it, when all is done",
          process.returncode == 0 and client.status("last") == "done", process.returncode)
    check("nothing half is left", not list(out.rglob(".*")), os.listdir(out))
    check("nothing was written outside", not list(bench.folder.glob("escaped*")))


def test_slowly(bench):
    """Replies for who reads late: more than a pipe holds."""
    process = bench.start("serve", "-o", bench.make("out"), stdin=subprocess.PIPE)
    number = 600
    text = b"".join(b'{"id": "%d%s", "in": "/none.dng"}\n' % (i, b"x" * 500) for i in range(number))

    def feed():
        with process.stdin as pipe:
            pipe.write(text)

    def waiting():
        """Bytes in the pipe that nobody has read yet."""
        return int.from_bytes(fcntl.ioctl(process.stdout, termios.FIONREAD, bytes(4)), "little")

    threading.Thread(target=feed, daemon=True).start()
    # The pipe is full: what it does not hold has to wait at the server.
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    wait_for(lambda: waiting() > 2500)
    events = lines(process.stdout.read())
    process.wait(timeout=PATIENCE)
    check("who reads late gets every reply", sum(e["event"] == "item" for e in events) == number,
          f"{len(events)} of {number}, code {process.returncode}")


def listens(place):
    with socket.socket(socket.AF_UNIX) as link:
        return link.connect_ex(str(place)) == 0


def test_clients(bench):
    """By a socket: several clients at once, one that goes away, one that never reads."""
    folder, out = bench.raws(20)
    raws = sorted(folder.iterdir())
    place = bench.folder / "s.sock"
    process = bench.start("serve", "--socket", place, "-o", bench.make("out"), "--jobs", "2")
    check("the socket is there", wait_for(lambda: listens(place)))
    check("it is for its owner only", place.stat().st_mode & 0o077 == 0, oct(place.stat().st_mode))
    clients = [connect(place)[1] for _ in range(4)]
    for index, client in enumerate(clients):
        for number in range(5):
            client.ask(f"same-{number}", raws[index * 5 + number], recipe=WEB)
    check("four clients with the same ids get their own replies", wait_for(
        lambda: all(len(client.items()) == 5 for client in clients)) and all(
        item["status"] == "done" and item["input"] == str(raws[index * 5 + int(name[-1])])
        for index, client in enumerate(clients) for name, item in client.items().items()),
        [sorted(client.items()) for client in clients])
    link, client = connect(place)
    for number in range(60):
        client.ask(f"gone-{number}", raws[number % 20], out=f"gone-{number}", recipe=WEB)
    link.shutdown(socket.SHUT_RDWR)
    link.close()
    _, client = connect(place)
    client.ask("alive", raws[0], out="alive", recipe=WEB)
    check("others are served", wait_for(lambda: "alive" in client.items()), client.events[-1:])
    # Those who came later are served: nobody works on what the client that went away asked for.
    made = len(list(out.glob("gone-*")))
    check("a client that goes away takes its requests with it",
          process.poll() is None and made < 60, made)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.connect(str(place))
        for number in range(3000):
            mute.sendall(b'{"id": "%d%s", "in": "/none.dng"}\n' % (number, b"m" * 300))
        client.ask("beside", raws[1], out="beside", recipe=WEB)
        check("a client that never reads holds up nobody",
              wait_for(lambda: "beside" in client.items()))
        process.send_signal(signal.SIGTERM)
        ended = bench.finish(process)
    ended.expect("SIGTERM ends it with 75", 75)
    bench.soon("SIGTERM ends it", ended.seconds, 10)
    check("the socket is gone", not place.exists())


def test_sockets(bench):
    """What is in the socket's place already, and a path that is too long for one."""
    place, out = bench.folder / "s.sock", bench.make("out")
    stale = bench.start("serve", "--socket", place, "-o", out)
    wait_for(lambda: listens(place))
    stale.kill()
    stale.communicate()
    process = bench.start("serve", "--socket", place, "-o", out)
    wait_for(lambda: listens(place) or process.poll() is not None)
    check("a socket that a killed server left is taken over", process.poll() is None)
    ended = bench.run("serve", "--socket", place)
    ended.expect("a second server on the socket is refused", 73, lines=1)
    check("the first keeps its socket", place.exists())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    file = bench.folder / "file"
    file.write_text("precious")
    ended = bench.run("serve", "--socket", file)
    ended.expect("a file in the socket's place is left alone", 73, also=file.read_text() == "precious")
    ended = bench.run("serve", "--socket", bench.folder / ("l" * 120))
    ended.expect("a socket's path that is too long is refused", 2)
