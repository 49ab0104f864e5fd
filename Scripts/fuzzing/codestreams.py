"""Codestreams of JPEG XL put together field by field (ISO/IEC 18181-1): headers of images and
frames with every field that our parsers know, chosen by number."""
import random

from hostile import jxl_bombs


class Stream:
    """Fields, of which those not given are chosen by a generator."""

    def __init__(self, number):
        self.random, self.fields = random.Random(number), []

    def put(self, value, count):
        self.fields.append((value, count))
        return value

    def flag(self, odds=0.5):
        return self.put(int(self.random.random() < odds), 1)

    def some(self, count):
        return self.put(self.random.getrandbits(count) if count else 0, count)

    def number(self, *widths, most=3):
        """U32() with a number of bits behind each selector."""
        selector = self.put(self.random.randint(0, most), 2)
        return selector, self.some(widths[selector])

    def floats(self, count):
        for _ in range(count):
            self.put(0x3C00, 16)

    def code(self, contexts):
        """A code that takes no bits, or any other, and then what it codes."""
        copies = self.flag(0.3)
        if copies:
            self.number(0, 0, 0, 15)
            self.number(0, 0, 2, 8)
            self.put(8, 4)
        if contexts + copies > 1:
            self.put(1, 1)
            self.put(0, 2)
        kind = self.random.choice(("none", "prefix", "simple", "few", "flat", "many"))
        if kind in ("none", "prefix", "simple"):
            self.put(1, 1)
            self.put(15, 4)
            if kind == "none":
                self.put(0, 1)
                return True
            # An alphabet of 18…33, then four of its symbols or code lengths of their own.
            self.put(1 | 4 << 1 | self.random.randint(1, 15) << 5, 9)
            self.put(1 if kind == "simple" else 0, 2)
            if kind == "simple":
                self.put(3 | 1 << 2 | 2 << 8 | 3 << 14 | 5 << 20, 27)
        else:
            self.put(0, 1)
            self.put(3, 2)
            self.put(8, 4)
            self.put({"few": 1, "flat": 2, "many": 0}[kind], {"few": 1, "flat": 2, "many": 2}[kind])
        for _ in range(40):
            self.some(32)
        return False

    def align(self):
        self.put(0, -sum(count for _, count in self.fields) % 8)

    def depth(self):
        if self.flag(0.3):
            self.put(1, 2)
            self.put(4, 4)
        else:
            self.number(0, 0, 0, 6, most=2)

    def header(self):
        """Whether it animates, has timecodes, is XYB, and its further channels."""
        animated = timed = channels = 0
        xyb = 1
        self.put(0x0AFF, 16)
        self.put(0, 3)
        self.put(199, 9)
        self.some(3) or (self.put(0, 2), self.put(99, 9))
        profile = False
        if not self.flag(0.2):
            if more := self.flag():
                self.some(3)
                self.flag(0.3) and (self.put(0, 12), self.put(1, 3))
                self.flag(0.3) and (self.put(1, 1), self.put(0, 2), self.put(1, 3))
                if animated := self.flag(0.4):
                    self.number(0, 0, 10, 30)
                    self.number(0, 0, 8, 10)
                    self.number(0, 3, 16, 32)
                    timed = self.flag()
            self.depth()
            self.put(1, 1)
            channels = self.random.choice((0, 0, 1, 3))
            self.put(*{0: (0, 2), 1: (1, 2), 3: (2 | 1 << 2, 6)}[channels])
            for _ in range(channels):
                if not self.flag():
                    kind = self.random.choice((0, 1, 2, 5))
                    self.put(*{0: (0, 2), 1: (1, 2), 2: (2, 6), 5: (2 | 3 << 2, 6)}[kind])
                    self.depth()
                    self.number(0, 0, 0, 3, most=2)
                    name = self.number(0, 4, 5, 10, most=1)[1]
                    self.some(8 * name)
                    {0: lambda: self.some(1), 2: lambda: self.floats(4),
                     5: lambda: self.number(0, 2, 4, 8)}.get(kind, lambda: None)()
            xyb = self.flag()
            if not self.flag():
                if profile := self.flag():
                    self.put(0, 2)
                else:
                    space = self.put(self.random.choice((0, 1)), 2)
                    for points in (1,) if space else (1, 3):
                        if self.flag():
                            self.fields[-1] = (1, 2)
                        else:
                            self.fields[-1] = (2, 6)
                            for _ in range(2 * points):
                                self.number(19, 19, 20, 21)
                    self.some(24) if self.flag() else self.put(2 | 6 << 2, 6)
                    self.put(1, 2)
            if more and not self.flag():
                self.floats(2)
                self.put(0, 1)
                self.floats(1)
            self.extensions()
        if not self.flag():
            if xyb and not self.flag():
                self.floats(16)
            mask = self.some(3)
            self.floats(sum(count for bit, count in enumerate((15, 55, 210)) if mask >> bit & 1))
        whole = True
        if profile:
            self.put(2 | 200 << 2, 10)
            whole = self.code(41)
        self.align()
        return animated, timed, xyb, channels, whole

    def extensions(self):
        if self.flag(0.8):
            self.put(0, 2)
        else:
            self.put(1, 2)
            self.put(0, 4)
            self.put(1 | 9 << 2, 6)
            self.some(10)

    def frame(self, animated, timed, xyb, channels):
        """Whether it is the last one."""
        if self.flag(0.1):
            self.put(0, 1)
            self.align()
            self.put(0, 12)
            self.align()
            return True
        kind, modular = self.some(2), self.flag()
        if flags := self.flag(0.3):
            self.fields[-1] = (2 | 15 << 2, 10)
        else:
            self.put(0, 1)
        ycc = 0 if xyb else self.flag()
        if not flags:
            ycc and self.put(0, 6)
            self.some(2)
            self.put(0, 2 * channels)
        if modular:
            self.some(2)
        elif xyb:
            self.some(6)
        passes = 1
        if kind != 2:
            passes = 1 + self.put(self.random.randint(0, 2), 2)
            if passes > 1:
                steps = self.put(self.random.randint(0, 1), 2)
                self.some(2 * (passes - 1))
                steps and (self.put(1, 2), self.put(0, 2))
        if kind == 1:
            self.some(2)
        place = kind != 1 and self.flag(0.4)
        for _ in range((2 if kind == 2 else 4) if place else 0):
            self.put(0, 2)
            self.put(self.random.randint(1, 255), 8)
        last = 0
        if kind in (0, 3):
            for _ in range(1 + channels):
                mode = self.put(self.random.randint(0, 2), 2)
                mode == 2 and channels and self.put(0, 3)
                (mode or place) and self.some(2)
            animated and self.number(0, 0, 8, 32)
            timed and self.some(32)
            last = self.flag(0.3)
        if kind != 1 and not (last and kind == 0):
            self.put(0, 2)
            (kind == 2 or not animated) and self.put(0, 1)
        self.number(0, 4, 5, 10, most=0)
        if not self.flag():
            self.flag() and self.flag() and self.floats(6)
            if self.some(2):
                not modular and self.flag() and self.floats(8)
                self.flag() and self.floats(5)
                self.flag() and self.floats(3 if modular else 4)
                modular and self.floats(1)
            self.put(0, 2)
        self.extensions()
        if self.flag(0.4):
            self.code(8)
        self.align()
        for _ in range(3 + passes):
            self.put(0, 12)
        self.align()
        return bool(last)

    @property
    def bytes(self):
        return jxl_bombs.bits(*self.fields)


def streams():
    """Names and bytes."""
    for number in range(300):
        stream = Stream(number)
        *facts, whole = stream.header()
        while whole and not stream.frame(*facts) and len(stream.fields) < 2000:
            pass
        yield f"stream-{number}", stream.bytes
    for kind in (jxl_bombs.REFERENCE, jxl_bombs.LOW_FREQUENCIES):
        yield f"hidden-{kind}", jxl_bombs.hidden(300, 200, 3, kind)
