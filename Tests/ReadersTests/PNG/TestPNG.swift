import CLibDeflate

@testable import Codecs

/// PNGs put together by hand.
struct TestPNG {
  var width = 7
  var height = 5
  var depth = 8
  /// 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha.
  var color = 2
  var isInterlaced = false
  /// Chunks before and behind the pixels.
  var before: [[UInt8]] = []
  var behind: [[UInt8]] = []

  var samples: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1 }

  static func word(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
  }
  static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + payload
    return word(payload.count) + body + word(Int(body.withUnsafeBytes(ZlibStream.crc32)))
  }
  static func zlib(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
    let compressor = libdeflate_alloc_compressor(level)
    defer { libdeflate_free_compressor(compressor) }
    var out = [UInt8](
      repeating: 0, count: libdeflate_zlib_compress_bound(compressor, bytes.count))
    let made = libdeflate_zlib_compress(compressor, bytes, bytes.count, &out, out.count)
    return Array(out.prefix(made))
  }
  static func text(_ packet: [UInt8], compressed: Bool) -> [UInt8] {
    chunk(
      "iTXt",
      Array("XML:com.adobe.xmp".utf8) + [0, compressed ? 1 : 0, 0, 0, 0]
        + (compressed ? zlib(packet) : packet))
  }
  static func profile(_ bytes: [UInt8]) -> [UInt8] {
    chunk("iCCP", Array("name".utf8) + [0, 0] + zlib(bytes))
  }

  var header: [UInt8] {
    Self.chunk(
      "IHDR",
      Self.word(width) + Self.word(height)
        + [UInt8(depth), UInt8(color), 0, 0, isInterlaced ? 1 : 0])
  }

  /// Sample c of pixel (x, y), of all bits.
  func sample(_ x: Int, _ y: Int, _ c: Int) -> Int {
    (x &* 2_654_435_761 &+ y &* 40_503 &+ c &* 97 &+ x &* y) >> 3 & ((1 << depth) - 1)
  }

  private func rows(_ columns: [Int], _ lines: [Int]) -> [UInt8] {
    var out: [UInt8] = []
    guard !columns.isEmpty else { return [] }
    for y in lines {
      out.append(0)
      var (bits, have) = (0, 0)
      for x in columns {
        for c in 0..<samples {
          bits = bits << depth | sample(x, y, c)
          have += depth
          while have >= 8 {
            out.append(UInt8(bits >> (have - 8) & 0xFF))
            have -= 8
          }
          bits &= 0xFF
        }
      }
      if have > 0 { out.append(UInt8(bits << (8 - have) & 0xFF)) }
    }
    return out
  }

  /// The file.
  var bytes: [UInt8] {
    var raw: [UInt8] = []
    if isInterlaced {
      let passes = [
        (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
        (0, 1, 1, 2),
      ]
      for (x, dx, y, dy) in passes {
        raw += rows(
          Array(stride(from: x, to: width, by: dx)), Array(stride(from: y, to: height, by: dy)))
      }
    } else {
      raw = rows(Array(0..<width), Array(0..<height))
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + before.flatMap { $0 }
      + Self.chunk("IDAT", Self.zlib(raw)) + behind.flatMap { $0 } + Self.chunk("IEND", [])
  }
}
