import Foundation
package import ImageCore

/// An SDR and an HDR rendition of one picture, blended as by a gain map (ISO 21496-1):
/// (s + k)^(1 − w) · (h + k)^w − k for each channel, k = 1/64, w = the weight of the HDR rendition,
/// 0…1. For files with a camera profile for each range. Every read renders both.
package struct BlendedRendition: PixelSource {
  package typealias State = DisplayReferred

  private static let offset: Float = 1.0 / 64

  private let standard: any PixelSource<DisplayReferred>
  private let high: any PixelSource<DisplayReferred>
  private let weight: Float
  private let pool = BufferPool()
  package let info: DisplayReferred.Info

  package var size: PixelSize { standard.size }

  /// Both must have the same size and primaries; `weight` is clamped to 0…1.
  package init(
    standard: any PixelSource<DisplayReferred>, high: any PixelSource<DisplayReferred>,
    weight: Float
  ) {
    precondition(standard.size == high.size && standard.info.primaries == high.info.primaries)
    self.standard = standard
    self.high = high
    self.weight = min(max(weight, 0), 1)
    info = DisplayReferred.Info(
      primaries: standard.info.primaries,
      headroom: Self.headroom(
        standard: standard.info.headroom, high: high.info.headroom, weight: self.weight),
      sources: standard.info.sources.union(high.info.sources))
  }

  /// Largest value of the blend of pictures whose largest values are `standard` and `high`.
  package static func headroom(standard: Float, high: Float, weight: Float) -> Float {
    mixed(standard, high, min(max(weight, 0), 1))
  }

  private static func mixed(_ s: Float, _ h: Float, _ weight: Float) -> Float {
    exp2(log2(max(s, 0) + offset) * (1 - weight) + log2(max(h, 0) + offset) * weight) - offset
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try standard.read(rect, into: buffer)
    try pool.withBuffer(rect.size) { other throws(PixelError) in
      try high.read(rect, into: other)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          let (s, h) = (buffer.row(plane, y), other.row(plane, y))
          for x in 0..<rect.width { s[x] = max(Self.mixed(s[x], h[x], weight), 0) }
        }
      }
    }
  }
}
