package import Foundation

/// A linear DNG of a few pixels with any tags and any camera profiles, in either byte order.
package struct TinyDNG {
  /// One value of a tag: its TIFF type, how many, and their bytes in a byte order.
  package struct Value: Sendable {
    package let type: UInt16
    package let count: Int
    package let bytes: @Sendable (_ bigEndian: Bool) -> [UInt8]

    package init(
      type: UInt16, count: Int, bytes: @escaping @Sendable (_ bigEndian: Bool) -> [UInt8]
    ) {
      (self.type, self.count, self.bytes) = (type, count, bytes)
    }

    package static func text(_ text: String) -> Value {
      Value(type: 2, count: text.utf8.count + 1) { _ in Array(text.utf8) + [0] }
    }
    package static func longs(_ v: [Int]) -> Value {
      Value(type: 4, count: v.count) { big in v.flatMap { TinyDNG.number(UInt32($0), big) } }
    }
    package static func floats(_ v: [Float]) -> Value {
      Value(type: 11, count: v.count) { big in v.flatMap { TinyDNG.number($0.bitPattern, big) } }
    }
    /// SRATIONAL, in ten-thousandths.
    package static func fractions(_ v: [Double]) -> Value {
      Value(type: 10, count: v.count) { big in
        v.flatMap {
          TinyDNG.number(UInt32(bitPattern: Int32(($0 * 10000).rounded())), big)
            + TinyDNG.number(UInt32(10000), big)
        }
      }
    }
    package static func undefined(_ make: @escaping @Sendable (Bool) -> [UInt8]) -> Value {
      Value(type: 7, count: make(false).count, bytes: make)
    }
  }

  package static func number<T: FixedWidthInteger>(_ value: T, _ bigEndian: Bool) -> [UInt8] {
    withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  package var bigEndian: Bool
  package var width: Int
  package var height: Int
  /// Three 16-bit samples of pixel (x, y).
  package var pixel: (Int, Int) -> [UInt16] = { x, y in [UInt16(x * 4000), UInt16(y * 5000), 20000]
  }
  package var fields: [UInt16: Value] = [:]
  /// Camera profiles beside the primary one, each with its byte order.
  package var profiles: [(bigEndian: Bool, fields: [UInt16: Value])] = []

  package init(bigEndian: Bool = false, width: Int = 8, height: Int = 6) {
    (self.bigEndian, self.width, self.height) = (bigEndian, width, height)
  }

  package static let colors: [UInt16: Value] = [
    50721: .fractions([0.8, -0.2, -0.1, -0.4, 1.2, 0.2, -0.05, 0.2, 0.6]),
    50778: .longs([21]), 50728: .fractions([0.5, 1, 0.7]),
  ]

  package var data: Data {
    let samples = (0..<height).flatMap { y in
      (0..<width).flatMap { x in pixel(x, y).flatMap { Self.number($0, bigEndian) } }
    }
    var all: [UInt16: Value] = [
      254: .longs([0]), 256: .longs([width]), 257: .longs([height]), 258: .longs([16, 16, 16]),
      259: .longs([1]), 262: .longs([34892]), 277: .longs([3]), 278: .longs([height]),
      279: .longs([samples.count]),
      50706: Value(type: 1, count: 4) { _ in [1, 7, 1, 0] },
    ]
    all.merge(Self.colors) { $1 }
    all.merge(fields) { $1 }
    var profileOffsets = [Int](repeating: 0, count: profiles.count)
    var strip = 0
    var body: [UInt8] = []
    // The first pass finds the offsets, the second writes them.
    for _ in 0..<2 {
      all[273] = .longs([strip])
      if !profiles.isEmpty { all[50933] = .longs(profileOffsets) }
      body = Self.number(UInt16(bigEndian ? 0x4D4D : 0x4949), true)
      body += Self.number(UInt16(42), bigEndian) + Self.number(UInt32(8), bigEndian)
      body += Self.directory(all, at: 8, bigEndian)
      strip = body.count
      body += samples
      for (index, profile) in profiles.enumerated() {
        profileOffsets[index] = body.count
        body += Self.number(UInt16(profile.bigEndian ? 0x4D4D : 0x4949), true)
        body += Self.number(UInt16(0x4352), profile.bigEndian)
        body += Self.number(UInt32(8), profile.bigEndian)
        body += Self.directory(profile.fields, at: 8, profile.bigEndian)
      }
    }
    return Data(body)
  }

  private static func directory(
    _ fields: [UInt16: Value], at offset: Int, _ bigEndian: Bool
  ) -> [UInt8] {
    var table = number(UInt16(fields.count), bigEndian)
    var heap: [UInt8] = []
    let end = offset + 2 + 12 * fields.count + 4
    for (tag, value) in fields.sorted(by: { $0.key < $1.key }) {
      let bytes = value.bytes(bigEndian)
      table += number(tag, bigEndian) + number(value.type, bigEndian)
      table += number(UInt32(value.count), bigEndian)
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        table += number(UInt32(end + heap.count), bigEndian)
        heap += bytes + (bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return table + number(UInt32(0), bigEndian) + heap
  }

  /// A gain table map as its tag stores it; `kind` nil for the first kind.
  package static func gainTableMap(
    rows: Int = 2, columns: Int = 2, points: Int = 2, spacing: Double = 1, origin: Double = 0,
    weights: [Float] = [0.25, 0.5, 0.25, 0, 0], gamma: Float = 1, kind: UInt32? = nil,
    range: (Float, Float) = (0, 1), stored: [UInt32]
  ) -> Value {
    .undefined { big in
      var out = number(UInt32(rows), big) + number(UInt32(columns), big)
      for v in [spacing, spacing, origin, origin] { out += number(v.bitPattern, big) }
      out += number(UInt32(points), big)
      for w in weights { out += number(w.bitPattern, big) }
      if let kind {
        out += number(kind, big)
        for v in [gamma, range.0, range.1] { out += number(v.bitPattern, big) }
      }
      for v in stored {
        switch kind {
        case 0: out.append(UInt8(v))
        case 1, 2: out += number(UInt16(v), big)
        default: out += number(v, big)
        }
      }
      return out
    }
  }
}
