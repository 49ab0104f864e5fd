import Foundation
import ImageCore
import Testing

@testable import Writers

/// A picture that is a formula of its coordinates: any rectangle, any size, no memory.
struct FormulaPicture<State: ImageState>: PixelSource {
  let size: PixelSize
  let info: State.Info
  let value: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    for y in 0..<rect.height {
      let rows = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      for x in 0..<rect.width {
        let v = value(rect.x + x, rect.y + y)
        (rows.0[x], rows.1[x], rows.2[x]) = (v.x, v.y, v.z)
      }
    }
  }
}

@Suite struct Bench {
  @Test func speed() throws {
    guard let spec = ProcessInfo.processInfo.environment["BENCH"] else { return }
    let size = PixelSize(width: 6000, height: 4000)
    let image = Image<DisplayReferred>(
      size: size, info: .init(primaries: .displayP3, headroom: 1)
    ) { planes in
      var s: UInt32 = 1
      for p in 0..<3 {
        for y in 0..<size.height {
          let r = planes.row(p, y)
          for x in 0..<size.width {
            s = s &* 1_664_525 &+ 1_013_904_223
            let n = Float(s >> 8) * (1 / 16_777_216) - 0.5
            let base = 0.5 + 0.45 * Float(sin(Double(x + p * 300) * 0.002) * cos(Double(y) * 0.003))
            r[x] = max(0, base * base + n * 0.01)
          }
        }
      }
    }
    PixelMemory.resetCounts()
    for (name, encoding, compression) in [
      ("p3 none", TIFFWriter.Encoding.integer16(.displayP3), TIFFWriter.Compression.none),
      ("p3 deflate1", .integer16(.displayP3), .deflate(level: 1)),
      ("p3 zstd1", .integer16(.displayP3), .zstd(level: 1)),
      ("p3 lzw", .integer16(.displayP3), .lzw),
      ("float none", .linearFloat, .none),
      ("float deflate1", .linearFloat, .deflate(level: 1)),
      ("float zstd1", .linearFloat, .zstd(level: 1)),
    ] where spec == "all" || name.contains(spec) {
      for _ in 0..<3 {
        PixelMemory.resetCounts()
        let before = PixelMemory.liveBytes
        let c0 = clock()
        let t0 = Date()
        let file = try TIFFWriter(encoding: encoding, compression: compression).write(
          image, to: "/tmp/tiffwork/bench.tif")
        print(
          name, String(format: "wall %.3f", Date().timeIntervalSince(t0)),
          String(format: "cpu %.3f", Double(clock() - c0) / 1e6), "bytes", file.byteCount, "peak MB",
          (PixelMemory.peakBytes - before) >> 20)
      }
    }
  }
}
