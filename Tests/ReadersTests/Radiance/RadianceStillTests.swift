import ImageCore
import TestSupport
import Testing

@testable import Readers

@Suite struct RadianceStillTests {
  private static let size = PixelSize(width: 40, height: 3)

  /// Mantissas and exponent of a pixel.
  private static func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    x < 12
      ? [200, 100, 50, 129] : [UInt8(x * 5), UInt8(255 - x), UInt8(30 + y), UInt8(120 + x % 20)]
  }

  static func header(_ resolution: String, _ lines: String = "") -> [UInt8] {
    Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\(lines)\n\(resolution)\n".utf8)
  }

  /// The three codes of the same picture.
  static func files() -> [[UInt8]] {
    let start = header("-Y 3 +X 40")
    var (flat, old, new) = (start, start, start)
    for y in 0..<size.height {
      let row = (0..<size.width).map { pixel($0, y) }
      flat += row.flatMap { $0 }
      // The first pixel eleven times again.
      old += row[0] + [1, 1, 1, 11] + row[12...].flatMap { $0 }
      new += [2, 2, 0, 40]
      for part in 0..<4 {
        new += [128 + 12, row[0][part], 28] + row[12...].map { $0[part] }
      }
    }
    return [flat, old, new]
  }

  @Test func allCodes() throws {
    for file in Self.files() {
      let still = try StillImage(file)
      #expect(still.kind == .radiance && still.size == Self.size)
      let linear = try KnownPicture.pixels(try still.base())
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let stored = Self.pixel(x, y)
          let scale = Double(sign: .plus, exponent: Int(stored[3]) - 136, significand: 1)
          for plane in 0..<3 {
            #expect(linear[y * Self.size.width + x][plane] == Double(stored[plane]) * scale)
          }
        }
      }
    }
  }

  /// Each order of the pixels comes out upright.
  @Test(arguments: [
    ("-Y 2 +X 3", false), ("-Y 2 -X 3", false), ("+Y 2 +X 3", false), ("+Y 2 -X 3", false),
    ("+X 3 -Y 2", true), ("-X 3 -Y 2", true), ("+X 3 +Y 2", true), ("-X 3 +Y 2", true),
  ])
  func orders(_ resolution: String, isByColumns: Bool) throws {
    let signs = resolution.split(separator: " ")
    let isRight = (isByColumns ? signs[0] : signs[2]) == "+X"
    let isDown = (isByColumns ? signs[2] : signs[0]) == "-Y"
    var bytes = Self.header(resolution)
    for first in 0..<(isByColumns ? 3 : 2) {
      for second in 0..<(isByColumns ? 2 : 3) {
        let (x, y) = isByColumns ? (first, second) : (second, first)
        bytes += [UInt8(10 * (isDown ? y : 1 - y) + (isRight ? x : 2 - x) + 1), 0, 0, 136]
      }
    }
    let still = try StillImage(bytes)
    #expect(still.size == PixelSize(width: 3, height: 2))
    let linear = try KnownPicture.pixels(try still.base()).map { Int($0.x) }
    #expect(linear == [1, 2, 3, 11, 12, 13])
  }

  @Test func colors() throws {
    let pixels: [UInt8] = [128, 128, 128, 129]
    let p3 = "PRIMARIES=0.680 0.320 0.265 0.690 0.150 0.060 0.3127 0.3290\n"
    #expect(
      try StillImage(Self.header("-Y 1 +X 1", p3) + pixels).color.primaries == .displayP3)
    let exposed = try StillImage(Self.header("-Y 1 +X 1", "EXPOSURE=2.0\n") + pixels)
    #expect(exposed.notes.contains { $0.contains("EXPOSURE") })
  }

  @Test func damagedFiles() throws {
    let files = Self.files()
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(2000)) {
      let bytes = Damage.damaged(files[Int(seed / 5 % 3)], seed: seed)
      counts[PNGHostileTests.read(bytes).map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged Radiance files: \(counts)")
    let minimum = Damage.count(100)
    #expect((counts["picture"] ?? 0) > minimum && (counts["damaged"] ?? 0) > minimum)
  }
}
