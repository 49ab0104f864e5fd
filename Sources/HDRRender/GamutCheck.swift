import Foundation
public import ImageCore

extension Primaries {
  /// Whether the gamut of these primaries contains `color`, linear RGB of the primaries `source`:
  /// no channel below 0, within `tolerance` of the largest channel.
  public func hold(_ color: SIMD3<Double>, of source: Primaries, tolerance: Double = 1e-5) -> Bool {
    let own = source == self ? color : source.conversion(to: self) * color
    return own.min() >= -tolerance * max(own.max(), 0)
  }
}

extension PixelSource where State == DisplayReferred {
  /// The fraction of pixels, 0…1, outside the gamut of `primaries`. Reads the entire picture.
  public func fraction(outside primaries: Primaries, workers: Int = Parallel.defaultWorkers)
    throws(PixelError)
    -> Double
  {
    let (size, height, pool) = (size, 256, BufferPool())
    guard size.area > 0 else { return 0 }
    let own = info.primaries
    let counts = try Parallel.map(count: (size.height + height - 1) / height, workers: workers) {
      band throws(PixelError) in
      let rect = PixelRect(
        x: 0, y: band * height, width: size.width, height: min(height, size.height - band * height))
      return try pool.withBuffer(rect.size) { buffer throws(PixelError) in
        try read(rect, into: buffer)
        var count = 0
        for y in 0..<rect.height {
          let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
          for x in 0..<rect.width {
            let color = SIMD3(Double(r[x]), Double(g[x]), Double(b[x]))
            if !primaries.hold(color, of: own) { count += 1 }
          }
        }
        return count
      }
    }
    return Double(counts.reduce(0, +)) / Double(size.area)
  }
}
