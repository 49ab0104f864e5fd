package import ImageCore
import SyntheticRaw

/// Pictures, and ways to read them, for tests of filters and renderings.
package enum EditScene {
  package typealias Source = any PixelSource<DisplayReferred>

  package static func picture(
    _ width: Int, _ height: Int, headroom: Float = 8, primaries: Primaries = .displayP3,
    _ pixel: (Int, Int) -> SIMD3<Float>
  ) -> Image<DisplayReferred> {
    certain {
      try Image(
        size: PixelSize(width: width, height: height),
        info: .init(primaries: primaries, headroom: headroom)
      ) { planes in
        for y in 0..<height {
          for x in 0..<width {
            let value = pixel(x, y)
            for plane in 0..<3 { planes.row(plane, y)[x] = value[plane] }
          }
        }
      }
    }
  }

  /// Grays and colors from 0 to `headroom`.
  package static func ramps(_ headroom: Float, primaries: Primaries = .displayP3)
    -> Image<DisplayReferred>
  {
    certain {
      try Image(
        size: PixelSize(width: 50, height: 20),
        info: .init(primaries: primaries, headroom: headroom)
      ) { planes in
        for y in 0..<20 {
          for x in 0..<50 {
            let level = headroom * Float(x) / 49
            planes.row(0, y)[x] = level
            planes.row(1, y)[x] = level * (y < 5 ? 1 : Float(y) / 20)
            planes.row(2, y)[x] = level * (y < 5 ? 1 : 1 - Float(y) / 25)
          }
        }
      }
    }
  }

  package static func flat(_ value: SIMD3<Float>, _ width: Int = 40, _ height: Int = 30)
    -> Image<DisplayReferred>
  {
    picture(width, height) { _, _ in value }
  }

  /// Numbers without a pattern, −0.5…8, the greatest of them exactly 8.
  package static func noise(_ width: Int = 61, _ height: Int = 47, headroom: Float = 8)
    -> Image<DisplayReferred>
  {
    picture(width, height, headroom: headroom) { x, y in
      var value = SIMD3<Float>()
      for plane in 0..<3 {
        var hash = UInt32(
          truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ plane &* 83_492_791)
        hash ^= hash >> 13
        hash = hash &* 0x5bd1_e995
        hash ^= hash >> 15
        let level = Float(hash % 4096) / 4095
        value[plane] = level * level * (headroom + 0.5) - 0.5
      }
      return x == 7 && y == 7 ? SIMD3(repeating: headroom) : value
    }
  }

  package static func image(_ source: Source) -> Image<DisplayReferred> {
    certain { try Image(rendering: source) }
  }

  package static func isSame(_ a: Source, _ b: Source) -> Bool {
    guard a.size == b.size else { return false }
    let (a, b) = (image(a), image(b))
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        for plane in 0..<3
        where a.row(plane, y)[x].bitPattern != b.row(plane, y)[x].bitPattern { return false }
      }
    }
    return true
  }

  /// Whether rectangles of several kinds equal the same parts of the complete picture.
  package static func isTileInvariant(_ source: Source) -> Bool {
    let whole = certain {
      try Image(rendering: source, bandHeight: source.size.height, workers: 1)
    }
    let (w, h) = (source.size.width, source.size.height)
    let rects = [
      PixelRect(x: 0, y: 0, width: 1, height: 1),
      PixelRect(x: w - 1, y: h - 1, width: 1, height: 1),
      PixelRect(x: w / 3, y: h / 4, width: w / 2, height: h / 3),
      PixelRect(x: 0, y: h / 2, width: w, height: 1),
      PixelRect(x: w / 2, y: 0, width: 1, height: h),
    ]
    let tile = PlanarBuffer()
    for rect in rects where !rect.isEmpty {
      certain { try source.read(rect, into: tile) }
      for plane in 0..<3 {
        for y in 0..<rect.height {
          for x in 0..<rect.width
          where tile.row(plane, y)[x].bitPattern
            != whole.row(plane, rect.y + y)[rect.x + x].bitPattern
          { return false }
        }
      }
    }
    let bands = certain { try Image(rendering: source, bandHeight: 5, workers: 2) }
    return isSame(whole, bands)
  }

  /// The greatest and the least of all channels.
  package static func range(_ source: Source) -> ClosedRange<Float> {
    let image = image(source)
    var (low, high) = (Float.infinity, -Float.infinity)
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        (low, high) = (min(low, image[x, y].min()), max(high, image[x, y].max()))
      }
    }
    return low...high
  }
}
