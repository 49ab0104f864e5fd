"""rawdev serve: twenty requests, early ends, nonsense, clients that go away or do not read."""
import fcntl
import os
import signal
import socket
import termios
import time

from batch import material
from batch.bench import Client
from support.checks import check, none, same
from support.program import wait_for

WEB = {"outputs": {"web": {"format": "jpeg-sdr", "maxSize": 300}}}
GARBAGE = [b"garbage", b"[]", b"{}", b"\xff\xfe", b'{"id": 5, "in": "x"}', b"[" * 100_000,
           b'{"id":"e"}', b'{"id": "deep", "in": ' + b"[" * 3000,
           b'{"id": "x/y", "in": "/x", "recipe": 5}']


def connect(address):
    link = socket.socket(socket.AF_UNIX)
    link.connect(str(address))
    return link, Client(link.sendall, link.makefile("rb").readline)


def listens(address):
    with socket.socket(socket.AF_UNIX) as link:
        return link.connect_ex(str(address)) == 0


def serve(bench, address, *more):
    """A server that listens at a socket, or has ended."""
    process = bench.start("serve", "--socket", address, "-o", bench.folder / "out", *more)
    wait_for(lambda: listens(address) or process.poll() is not None)
    return process


def test_standard_input(bench):
    folder, out = bench.raws(20)
    raws = sorted(folder.iterdir())
    big = material.raw(folder / "big.dng", material.FIXTURES[2])
    out.mkdir()
    process, client = bench.serve("--jobs", "2")
    to_out = {"folder": str(out)}
    for raw in raws:
        client.ask(raw.stem, raw, **to_out, recipe=WEB)
    client.answered(*(raw.stem for raw in raws))
    same("all are done", [item["status"] for item in client.items.values()], ["done"] * 20)
    check("replies tell how far each is", client.count("share") >= 20, client.count("share"))
    kinds = {
        "again": ("failed", raws[0], to_out | {"recipe": WEB}),
        "over": ("done", raws[1], to_out | {"recipe": WEB, "overwrite": True}),
        "named": ("done", raws[2], to_out | {"recipe": "proof", "out": "a/b/c"}),
        "gone": ("failed", folder / "none.dng", to_out),
        "relative": ("failed", "in/raw-000.dng", to_out),
        "nowhere": ("failed", raws[3], {}),
        "outside": ("failed", raws[3], to_out | {"out": "../escaped"}),
        "wrong": ("failed", raws[3], to_out | {"recipe": {"raw": {"exposure": 99}}})}
    for name, (_, raw, request) in kinds.items():
        client.ask(name, raw, **request)
    # Empty lines are passed over.
    client.write(b"\n\n".join(GARBAGE) + b"\n")
    client.answered(*kinds)
    for name, (wanted, _, _) in kinds.items():
        same(f"what becomes of the request {name}", client.status(name), wanted)
    check("an output below a folder of its own", (out / "a/b/c.jpg").is_file(), os.listdir(out))
    wait_for(lambda: client.count("refused") >= len(GARBAGE))
    same("nonsense is refused line by line", client.count("refused"), len(GARBAGE))
    same("the server lives", process.poll(), None)
    for attempt in range(10):
        name = f"slow-{attempt}"
        client.ask(name, big, **to_out, recipe={"outputs": {name: {"format": "avif"}}})
        wait_for(lambda: any(event.get("id") == name for event in client.events))
        began = time.monotonic()
        client.ask(name, cancel=True)
        client.answered(name)
        if client.status(name) != "done":
            break
        # This machine heard of the request when it was done already.
    same("cancel ends a request under way", client.status(name), "interrupted")
    bench.soon("cancel ends it", time.monotonic() - began, 5)
    client.ask("never", cancel=True)
    client.ask("last", raws[4], **to_out, out="last", recipe=WEB)
    same("the end of input ends it", client.end(process), 0)
    same("all is done then", client.status("last"), "done")
    none("nothing half is left", list(out.rglob(".*")))
    none("nothing was written outside", list(bench.folder.glob("escaped*")))


def test_late_reader(bench):
    number, requests = 600, bench.folder / "requests.jsonl"
    requests.write_text("".join(
        f'{{"id": "{i}{"x" * 500}", "in": "/none.dng"}}\n' for i in range(number)))
    with open(requests) as stdin:
        process = bench.start("serve", "-o", bench.make("out"), stdin=stdin)

    def waiting():
        """Bytes in the pipe that nobody has read yet."""
        return int.from_bytes(fcntl.ioctl(process.stdout, termios.FIONREAD, bytes(4)), "little")

    # The pipe is full: what it does not hold has to wait at the server.
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    wait_for(lambda: waiting() > 2500)
    bench.finish(process).expect("who reads late gets every reply", total=number)


def test_socket(bench):
    folder, out = bench.raws(20)
    raws = sorted(folder.iterdir())
    out.mkdir()
    address = bench.folder / "s.sock"
    process = serve(bench, address, "--jobs", "2")
    check("the socket is there", listens(address))
    mode = address.stat().st_mode
    check("it is for its owner only", mode & 0o077 == 0, oct(mode))
    clients = [connect(address)[1] for _ in range(4)]
    wanted = [{f"same-{number}": raw for number, raw in enumerate(raws[first:first + 5])}
              for first in range(0, 20, 5)]
    for client, own in zip(clients, wanted):
        for name, raw in own.items():
            client.ask(name, raw, recipe=WEB)
    for client, own in zip(clients, wanted):
        client.answered(*own)
        same("clients with the same ids get their own replies",
             {name: (item["status"], item["input"]) for name, item in client.items.items()},
             {name: ("done", str(raw)) for name, raw in own.items()})
    link, client = connect(address)
    for number in range(60):
        client.ask(f"gone-{number}", raws[number % 20], out=f"gone-{number}", recipe=WEB)
    link.shutdown(socket.SHUT_RDWR)
    link.close()
    _, client = connect(address)
    client.ask("alive", raws[0], out="alive", recipe=WEB)
    check("others are served", client.answered("alive"), client.events[-1:])
    # Those who came later are served: nobody works on what the client that went away asked for.
    made = len(list(out.glob("gone-*")))
    check("a client's requests go away with it", process.poll() is None and made < 60, made)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.connect(str(address))
        for number in range(3000):
            mute.sendall(b'{"id": "%d%s", "in": "/none.dng"}\n' % (number, b"m" * 300))
        client.ask("beside", raws[1], out="beside", recipe=WEB)
        check("a client that never reads holds up nobody", client.answered("beside"))
        bench.finish(process, signal.SIGTERM).expect("SIGTERM ends it with 75", 75, soon=10)
    check("the socket is gone", not address.exists())


def test_taken_sockets(bench):
    address, file = bench.folder / "s.sock", bench.folder / "file"
    bench.make("out")
    bench.finish(serve(bench, address), signal.SIGKILL)
    process = serve(bench, address)
    same("a socket that a killed server left is taken over", process.poll(), None)
    bench.run("serve", "--socket", address).expect("a second server is refused", 73, lines=1)
    check("the first keeps its socket", address.exists())
    bench.finish(process, signal.SIGTERM)
    file.write_text("precious")
    ended = bench.run("serve", "--socket", file)
    ended.expect("a file in its place is left alone", 73, also=file.read_text() == "precious")
    address = address.with_name("long" * 30)
    bench.run("serve", "--socket", address).expect("a path that is too long is refused", 2)


def test_socket_of_systemd(bench):
    """As systemd starts it: descriptor 3 listens already."""
    folder, out = bench.raws(1)
    out.mkdir()
    address = bench.folder / "s.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen()
        number = listener.fileno()
        script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@" 3<&{number}'
        process = bench.start("serve", "-o", out, pass_fds=[number],
                              program=["bash", "-c", script, bench.rawdev])
        _, client = connect(address)
        client.ask("one", next(folder.iterdir()), recipe=WEB)
        client.answered("one")
        same("it serves there", client.items["one"]["status"], "done")
        bench.finish(process, signal.SIGTERM).expect("SIGTERM ends it with 75", 75, soon=10)
    check("the socket stays systemd's", address.exists())
