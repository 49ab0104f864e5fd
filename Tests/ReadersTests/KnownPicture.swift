import Foundation
import ImageCore

/// A picture of known linear values to write, and the error of what is read back, in codes.
enum KnownPicture {
  static let size = PixelSize(width: 130, height: 99)

  static func picture(_ primaries: Primaries, headroom: Float) throws -> Image<DisplayReferred> {
    try Image(size: size, info: .init(primaries: primaries, headroom: headroom)) { planes in
      for plane in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width {
            planes.row(plane, y)[x] = headroom * Float(x * (plane + 1) % 100) / 99 * Float(y) / 98
          }
        }
      }
    }
  }

  /// How a writer converts linear values to signals.
  enum Signal: Sendable {
    case srgb, bt2020, linear, pq, hlg

    func of(_ linear: SIMD3<Double>) -> SIMD3<Double> {
      var scene = linear
      if case .hlg = self { scene = HLG.scene(display: linear * (203.0 / 1000)) }
      var out = linear
      for c in 0..<3 {
        out[c] =
          switch self {
          case .srgb: SRGB.signal(linear: linear[c])
          case .bt2020:
            linear[c] < 0.0181 ? 4.5 * linear[c] : 1.0993 * pow(linear[c], 0.45) - 0.0993
          case .linear: linear[c]
          case .pq: PQ.signal(nits: linear[c] * 203)
          case .hlg: HLG.signal(scene: scene[c])
          }
      }
      return out
    }
  }

  static func pixels(_ source: any PixelSource<DisplayReferred>) throws -> [SIMD3<Double>] {
    let buffer = try PlanarBuffer(size: source.size)
    try source.read(PixelRect(source.size), into: buffer)
    return (0..<source.size.area).map { i in
      let (y, x) = i.quotientAndRemainder(dividingBy: source.size.width)
      return SIMD3(
        Double(buffer.row(0, y)[x]), Double(buffer.row(1, y)[x]), Double(buffer.row(2, y)[x]))
    }
  }

  /// Largest difference of signals, in codes of 0…`top`.
  static func error(
    _ a: any PixelSource<DisplayReferred>, _ b: any PixelSource<DisplayReferred>, _ signal: Signal,
    top: Double
  ) throws -> Double {
    zip(try pixels(a), try pixels(b)).reduce(0.0) { worst, pair in
      let off = signal.of(pair.0) - signal.of(pair.1)
      return max(worst, top * max(abs(off.x), abs(off.y), abs(off.z)))
    }
  }
}
