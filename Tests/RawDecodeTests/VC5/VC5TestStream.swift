import ImageCore

@testable import RawDecode
@testable import SyntheticRaw

/// Parses and reassembles VC-5 streams, for tests.
struct VC5TestStream {
  /// A segment, with the data that it announces.
  struct Element: Hashable {
    var tag: Int
    var value: Int
    var data: [UInt8] = []

    var bytes: [UInt8] {
      let tag = UInt16(bitPattern: Int16(truncatingIfNeeded: tag))
      return [UInt8(tag >> 8), UInt8(tag & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
        + data
    }

    var isCodeblock: Bool { abs(tag) >> 8 == 0x60 }

    /// A codeblock of these bytes, padded to complete segments.
    static func codeblock(_ bytes: [UInt8]) -> Element {
      let data = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
      return Element(
        tag: 0x6000 | (data.count / 4) >> 16, value: data.count / 4 & 0xFFFF, data: data)
    }
  }

  var elements: [Element] = []

  /// The elements of a stream that ``VC5Encoder`` made.
  init(_ bytes: [UInt8]) {
    var offset = 4
    while offset + 4 <= bytes.count {
      let word = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      var element = Element(tag: Int(Int16(truncatingIfNeeded: word >> 16)), value: word & 0xFFFF)
      offset += 4
      let segments =
        element.isCodeblock
        ? (element.tag & 0xFF) << 16 | element.value
        : element.tag == -0x4004 ? element.value : 0
      element.data = Array(bytes[offset..<offset + 4 * segments])
      offset += 4 * segments
      elements.append(element)
    }
  }

  var bytes: [UInt8] { Array("VC-5".utf8) + elements.flatMap(\.bytes) }

  /// A bit writer, most significant bit first.
  struct Bits {
    var bytes: [UInt8] = []
    private var free = 0

    /// The lower `length` bits of `value`.
    mutating func put(_ value: UInt32, _ length: Int) {
      for bit in (0..<length).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(free)
      }
    }

    /// A code of ``VC5CodeBook``, whose leading 1 marks its length.
    mutating func put(code: UInt32) { put(code, 31 - code.leadingZeroBitCount) }
  }
}

extension DNGWriter {
  /// A mosaic in VC-5 of pseudorandom numbers, with sides that give odd band sizes.
  static func vc5(
    _ phase: MosaicPattern.BayerPhase = .rggb, size: PixelSize = PixelSize(width: 50, height: 38),
    state: UInt64 = 1
  ) -> DNGWriter {
    var numbers = TestNumbers(state: state)
    // A slope with fine noise, typical for the wavelet.
    let samples = (0..<size.area).map { i in
      let (x, y) = (i % size.width, i / size.width)
      return UInt16(6000 + 90 * x + 70 * y + numbers.next(200))
    }
    var file = DNGWriter(size: size, layout: .mosaic(.bayer(phase)), samples: samples)
    file.compression = .vc5
    return file
  }

  /// The file with `stream` instead of its own.
  func bytes(holding stream: VC5TestStream) throws -> [UInt8] {
    try bytes(holding: stream.bytes, compression: 9)
  }

  /// The stream in the file.
  var vc5Stream: VC5TestStream {
    get throws { VC5TestStream(try imageChunks()[0]) }
  }
}
