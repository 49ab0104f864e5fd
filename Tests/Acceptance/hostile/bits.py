"""Bits, most significant first, and the sizes within sequence headers of HEVC and AV1."""


class Bits:
    def __init__(self, data):
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.at = 0

    def take(self, count):
        self.at += count
        return int(self.text[self.at - count:self.at] or "0", 2)

    def golomb(self):
        zeros = 0
        while self.take(1) == 0:
            zeros += 1
        return (1 << zeros) - 1 + self.take(zeros)


def golomb(value):
    text = f"{value + 1:b}"
    return "0" * (len(text) - 1) + text


def joined(text):
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def escaped(data):
    """With the bytes that keep start codes out of a NAL unit."""
    out, zeros = bytearray(), 0
    for byte in data:
        if zeros >= 2 and byte < 4:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(out)


def hevc_resized(unit, width, height):
    """A sequence parameter set (H.265 7.3.2.2, one layer) for another size."""
    bits = Bits(unit[:2] + unit[2:].replace(b"\0\0\3", b"\0\0"))
    bits.take(16 + 4)
    assert bits.take(3) == 0, "one layer"
    bits.take(1 + 96)
    bits.golomb()
    if bits.golomb() == 3:
        bits.take(1)
    start = bits.at
    bits.golomb(), bits.golomb()
    return escaped(joined(bits.text[:start] + golomb(width) + golomb(height) + bits.text[bits.at:]))


def av1_resized(header, width, height):
    """A sequence header (AV1 5.5.1, without timing) for another size of up to 65536."""
    bits = Bits(header)
    bits.take(4)
    if bits.take(1):
        bits.take(5)
    else:
        assert bits.take(2) == 0, "no timing, no delays"
        for _ in range(bits.take(5) + 1):
            bits.take(12)
            if bits.take(5) > 7:
                bits.take(1)
    start = bits.at
    widths = bits.take(4) + 1, bits.take(4) + 1
    bits.take(sum(widths))
    return joined(bits.text[:start] + "11111111" + f"{width - 1:016b}{height - 1:016b}" + bits.text[bits.at:])
