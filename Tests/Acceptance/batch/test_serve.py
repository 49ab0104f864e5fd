"""rawdev serve: twenty requests, ends before their time, nonsense, clients that go away or do not read."""
import fcntl
import json
import signal
import socket
import struct
import subprocess
import termios
import threading
import time

from batch import material
from batch.bench import lines
from support.program import PATIENCE, wait_for


class Client:
    """Lines to and from a server; replies are collected as they come."""

    def __init__(self, write, read):
        self.write, self.events = write, []
        self.thread = threading.Thread(target=self.collect, args=(read,), daemon=True)
        self.thread.start()

    def collect(self, read):
        for line in iter(read, b""):
            try:
                self.events.append(json.loads(line))
            except ValueError:
                self.events.append({"event": "no JSON", "line": line[:80].decode(errors="replace")})

    def ask(self, **request):
        self.write(json.dumps(request).encode() + b"\n")

    def items(self):
        return {e["id"]: e for e in list(self.events) if e["event"] == "item"}

    def count(self, kind):
        return sum(e["event"] == kind for e in list(self.events))


def test_standard(bench):
    """By standard input."""
    folder, out = bench.make("in"), bench.make("out")
    raws = material.copies(folder, 20)
    big = material.variant(material.FIXTURES[2], folder / "big.dng", 77)
    process = bench.start("serve", "--jobs", "2", stdin=subprocess.PIPE)
    def write(data):
        process.stdin.write(data)
        process.stdin.flush()
    client = Client(write, process.stdout.readline)
    web = {"outputs": {"web": {"format": "jpeg", "maxSize": 300}}}
    for number, raw in enumerate(raws):
        client.ask(id=f"r{number}", **{"in": str(raw)}, folder=str(out), recipe=web)
    bench.check("twenty requests are done", wait_for(lambda: len(client.items()) == 20)
                and all(i["status"] == "done" for i in client.items().values()),
                (len(client.items()), client.events[-2:]))
    bench.check("replies tell how far each is", client.count("share") >= 20, client.count("share"))
    client.ask(id="again", **{"in": str(raws[0])}, folder=str(out), recipe=web)
    client.ask(id="over", **{"in": str(raws[1])}, folder=str(out), recipe=web, overwrite=True)
    client.ask(id="named", **{"in": str(raws[2])}, folder=str(out), recipe="proof", out="a/b/c")
    client.ask(id="gone", **{"in": str(folder / "none.dng")}, folder=str(out))
    client.ask(id="relative", **{"in": "in/raw-000.dng"}, folder=str(out))
    client.ask(id="nowhere", **{"in": str(raws[3])})
    client.ask(id="outside", **{"in": str(raws[3])}, folder=str(out), out="../../escaped")
    client.ask(id="wrong", **{"in": str(raws[3])}, folder=str(out), recipe={"raw": {"exposure": 99}})
    client.ask(id="x/y", **{"in": str(raws[3])}, folder=str(out), recipe=5)
    refused = client.count("refused")
    for garbage in (b"garbage\n", b"\n", b"[]\n", b"{}\n", b"\xff\xfe\n", b'{"id": 5, "in": "x"}\n',
                    b"[" * 100_000 + b"\n", b'{"id":"e"}\n', b'{"id": "deep", "in": ' + b"[" * 3000 + b"\n"):
        client.write(garbage)
    expected = {"again": "failed", "over": "done", "named": "done", "gone": "failed", "relative": "failed",
                "nowhere": "failed", "outside": "failed", "wrong": "failed"}
    wait_for(lambda: set(expected) <= set(client.items()))
    found = {k: client.items().get(k, {}).get("status") for k in expected}
    bench.check("each kind of request ends as it should", found == expected, {
        k: (v, client.items().get(k, {}).get("error")) for k, v in found.items() if v != expected[k]})
    bench.check("an output below a folder of its own", (out / "a/b/c.jpg").is_file(), sorted(out.rglob("c.*")))
    bench.check("nonsense is refused line by line, the server lives",
                wait_for(lambda: client.count("refused") - refused >= 8) and process.poll() is None,
                client.count("refused") - refused)
    client.ask(id="slow", **{"in": str(big)}, folder=str(out), recipe={"outputs": {"x": {"format": "avif"}}})
    wait_for(lambda: any(e.get("id") == "slow" for e in list(client.events)))
    began = time.monotonic()
    client.ask(id="slow", cancel=True)
    bench.check("cancel ends a request under way", wait_for(
        lambda: client.items().get("slow", {}).get("status") is not None)
        and client.items()["slow"]["status"] == "interrupted", client.items().get("slow"))
    bench.soon("cancel ends it", time.monotonic() - began, 5)
    client.ask(id="never", cancel=True)
    client.ask(id="last", **{"in": str(raws[4])}, folder=str(out), out="last", recipe=web)
    process.stdin.close()
    process.wait(timeout=PATIENCE)
    client.thread.join(PATIENCE)
    bench.check("the end of input ends it, when all is done", process.returncode == 0
                and client.items().get("last", {}).get("status") == "done", process.returncode)
    bench.check("nothing half is left", not list(out.rglob(".*")), list(out.rglob(".*"))[:3])
    bench.check("nothing was written outside", not list(bench.folder.glob("escaped*")))


def test_slowly(bench):
    """Replies for who reads late: more than a pipe holds."""
    process = bench.start("serve", "-o", bench.make("out"), stdin=subprocess.PIPE)
    number = 600
    text = b"".join(json.dumps({"id": f"{i:04}" + "x" * 500, "in": f"/none/{i}.dng"}).encode() + b"\n"
                    for i in range(number))
    threading.Thread(target=lambda: (process.stdin.write(text), process.stdin.close()), daemon=True).start()
    # The pipe is full: what it does not hold has to wait at the server.
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    wait_for(lambda: waiting(process.stdout) > 2500)
    events = lines(process.stdout.read())
    process.wait(timeout=PATIENCE)
    bench.check("who reads late gets every reply", sum(e["event"] == "item" for e in events) == number,
                f"{len(events)} of {number}, code {process.returncode}")


def waiting(stream):
    """Bytes in a pipe that nobody has read yet."""
    return struct.unpack("i", fcntl.ioctl(stream, termios.FIONREAD, b"\0" * 4))[0]


def listens(place):
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(str(place))
            return True
        except OSError:
            return False


def test_sockets(bench):
    """By a socket: several clients at once, one that goes away, a server that ends."""
    folder, out = bench.make("in"), bench.make("out")
    raws = material.copies(folder, 20)
    place = bench.folder / "s.sock"
    process = bench.start("serve", "--socket", place, "-o", out, "--jobs", "2")
    bench.check("the socket is there", wait_for(place.exists))
    bench.check("it is for its owner only", place.stat().st_mode & 0o077 == 0, oct(place.stat().st_mode))

    def connect():
        link = socket.socket(socket.AF_UNIX)
        link.connect(str(place))
        return link, Client(link.sendall, link.makefile("rb").readline)

    web = {"outputs": {"web": {"format": "jpeg", "maxSize": 300}}}
    pairs = [connect() for _ in range(4)]
    for index, (_, client) in enumerate(pairs):
        for number in range(5):
            client.ask(id=f"same-{number}", **{"in": str(raws[index * 5 + number])}, recipe=web)
    bench.check("four clients with the same ids get their own replies", wait_for(
        lambda: all(len(c.items()) == 5 for _, c in pairs)) and all(
        i["status"] == "done" and i["input"] == str(raws[index * 5 + int(k[-1])])
        for index, (_, c) in enumerate(pairs) for k, i in c.items().items()),
        [sorted(c.items()) for _, c in pairs])
    link, client = connect()
    for number in range(60):
        client.ask(id=f"gone-{number}", **{"in": str(raws[number % 20])}, out=f"gone-{number}", recipe=web)
    link.shutdown(socket.SHUT_RDWR)
    link.close()
    _, client = connect()
    client.ask(id="alive", **{"in": str(raws[0])}, out="alive", recipe=web)
    bench.check("others are served", wait_for(lambda: "alive" in client.items()), client.events[-1:])
    # Those who came later are served: nobody works on what the client that went away asked for.
    bench.check("a client that goes away takes its requests with it", process.poll() is None
                and len(list(out.glob("gone-*"))) < 60, len(list(out.glob("gone-*"))))
    mute = socket.socket(socket.AF_UNIX)
    mute.connect(str(place))
    for number in range(3000):
        mute.sendall(json.dumps({"id": f"{number}" + "m" * 300, "in": "/none.dng"}).encode() + b"\n")
    client.ask(id="beside", **{"in": str(raws[1])}, out="beside", recipe=web)
    bench.check("a client that never reads holds up nobody", wait_for(lambda: "beside" in client.items()))
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    bench.check("SIGTERM ends it with 75", process.returncode == 75, process.returncode)
    bench.soon("SIGTERM ends it", time.monotonic() - began, 10)
    bench.check("the socket is gone", not place.exists())
    stale = bench.start("serve", "--socket", place, "-o", out)
    wait_for(place.exists)
    stale.kill()
    stale.communicate()
    process = bench.start("serve", "--socket", place, "-o", out)
    wait_for(lambda: listens(place) or process.poll() is not None)
    bench.check("a socket that a killed server left is taken over", process.poll() is None)
    second = bench.run("serve", "--socket", place)
    bench.check("a second server on the socket is refused", second.code == 73 and len(second.messages) == 1,
                (second.code, second.messages))
    bench.check("the first keeps its socket", place.exists())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    file = bench.folder / "file"
    file.write_text("precious")
    ended = bench.run("serve", "--socket", file)
    bench.check("a file in the socket's place is left alone", ended.code == 73
                and file.exists() and file.read_text() == "precious", (ended.code, ended.messages))
    ended = bench.run("serve", "--socket", bench.folder / ("l" * 120))
    bench.check("a socket's path that is too long is refused", ended.code == 2, (ended.code, ended.messages))
