package import HDRRender
package import ImageCore

/// A picture and how opaque it is, which are moved together.
///
/// Where pixels are averaged – resized, rotated by an angle – colors are weighted by alpha: they
/// are multiplied by it before, and divided by it after (Porter and Duff, "Compositing digital
/// images", 1984), so that invisible colors do not bleed in at edges. Pixels of alpha 0 become
/// black. Units: linear values; alpha 0…1, which filters may exceed a little. Known failure: alpha
/// is ignored where a picture with a gain map is resampled.
package struct TransparentPicture: Sendable {
  package private(set) var picture: DisplayPicture
  /// In all three channels.
  package private(set) var alpha: any PixelSource<DisplayReferred>
  /// Whether the colors of the picture are multiplied by it; they stay so.
  package let isMultiplied: Bool

  package init(
    _ picture: DisplayPicture, alpha: any PixelSource<DisplayReferred>, isMultiplied: Bool
  ) {
    (self.picture, self.alpha, self.isMultiplied) = (picture, alpha, isMultiplied)
  }

  /// With another picture, of the same size.
  package func with(_ picture: DisplayPicture) -> TransparentPicture {
    TransparentPicture(picture, alpha: alpha, isMultiplied: isMultiplied)
  }

  /// Moved by `edit`, which is one of geometry.
  package func moved(by edit: any ImageFilter) throws -> TransparentPicture {
    let movedAlpha = try alpha.edited(by: [edit])
    guard !isMultiplied, [.resize, .affine].contains(edit.operation),
      case .pixels(let pixels) = picture.content
    else {
      return TransparentPicture(
        try picture.edited(by: [edit]), alpha: movedAlpha, isMultiplied: isMultiplied)
    }
    let weighted = AlphaScaled(pixels, by: alpha, isDivided: false)
    let colors = AlphaScaled(try weighted.edited(by: [edit]), by: movedAlpha, isDivided: true)
    var moved = DisplayPicture(
      colors, contentHeadroom: picture.contentHeadroom, toneHeadroom: picture.toneHeadroom,
      averageLightLevel: picture.averageLightLevel, isAbsolute: picture.isAbsolute)
    moved.notes = picture.notes
    return TransparentPicture(moved, alpha: movedAlpha, isMultiplied: false)
  }
}

/// Colors that are multiplied or divided by their alpha.
package struct AlphaScaled: PixelSource {
  package typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let alpha: any PixelSource<DisplayReferred>
  private let isDivided: Bool
  private let pool = BufferPool()
  /// Below it an alpha of 16 bits is 0.
  private static let minAlpha: Float = 1 / 65_535

  package init(
    _ source: any PixelSource<DisplayReferred>, by alpha: any PixelSource<DisplayReferred>,
    isDivided: Bool
  ) {
    (self.source, self.alpha, self.isDivided) = (source, alpha, isDivided)
  }

  package var size: PixelSize { source.size }
  package var info: DisplayReferred.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, alpha.bandHeight) }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    try pool.withBuffer(rect.size) { opacity throws(PixelError) in
      try alpha.read(rect, into: opacity)
      for y in 0..<rect.height {
        let weight = opacity.row(0, y)
        for plane in 0..<3 {
          let row = buffer.row(plane, y)
          for x in 0..<rect.width {
            let by = min(max(weight[x], 0), 1)
            row[x] = isDivided ? (by < Self.minAlpha ? 0 : row[x] / by) : row[x] * by
          }
        }
      }
    }
  }
}
