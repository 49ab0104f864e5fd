import HDRRender
import ImageCore
import ImageFilters
import RawFilter
import Readers
import Writers

/// A small SDR picture of a raw as a JPEG in sRGB: of the preview that the camera put into it,
/// turned upright, or a fast development where it holds none that is whole; of a raw that cannot be
/// decoded what can be read of its preview.
struct RawThumbnail {
  /// No side is longer, pixels; smaller previews are not enlarged.
  let side: Int

  /// libjpeg's quality / 100: thumbnails are for display only.
  private static let quality: Float = 0.85

  /// Of the embedded preview, or of an uncompressed thumbnail; nil where it holds none that is
  /// complete.
  func preview(of raw: RAWFilter) throws -> [UInt8]? {
    try (preview(of: raw, .whole) ?? stored(in: raw)).map(encoded)
  }

  /// Of the raw itself, at its settings, made fast; where that is damaged, of what can be read of
  /// its preview.
  func developed(_ raw: RAWFilter) throws -> [UInt8] {
    do { return try encoded(draft(raw)) } catch let error as RAWError where error.code == .damaged {
      guard let shown = preview(of: raw, .show) else { throw error }
      return try encoded(shown)
    }
  }

  private func encoded(_ picture: any PixelSource<DisplayReferred>) throws -> [UInt8] {
    // One thread: thumbnails are made beside each other, and beside the picture that is tuned.
    let writer = try JPEGWriter(
      EncoderSettings(.jpeg, .sRGB, quality: Self.quality), workers: 1)
    return try writer.encode(PrimariesConversion(picture, to: .srgb, .compressed))
  }

  private func preview(
    of raw: RAWFilter, _ policy: ReadPolicy
  ) -> (any PixelSource<DisplayReferred>)? {
    guard let preview = raw.previewImage,
      let picture = try? StillImage(preview.jpeg, policy: policy).base(minSide: side),
      let small = try? picture.edited(by: [ResizeFilter.thumbnail(maxPixelSize: side)])
    else { return nil }
    let missing = preview.missing(raw.orientation, stored: raw.nativeSize)
    return missing == .up ? small : try? small.edited(by: OrientFilter(missing))
  }

  private func stored(in raw: RAWFilter) throws -> (any PixelSource<DisplayReferred>)? {
    let small = try raw.rawFile.storedThumbnail?.edited(by: [
      ResizeFilter.thumbnail(maxPixelSize: side)
    ])
    return raw.orientation == .up ? small : try small?.edited(by: OrientFilter(raw.orientation))
  }

  private func draft(_ raw: RAWFilter) throws -> any PixelSource<DisplayReferred> {
    var raw = raw
    (raw.workers, raw.extendedDynamicRangeAmount) = (1, 0)
    // What a picture that is tuned has cached is faster than a draft, whose samples differ.
    raw.isDraftModeEnabled = !raw.keepsReduced
    raw.scaleFactor = 1
    let longer = max(raw.outputSize.width, raw.outputSize.height, 1)
    raw.scaleFactor = Float(min(1, Double(side) / Double(longer)))
    return try raw.rendition().edited(by: [ResizeFilter.thumbnail(maxPixelSize: side)])
  }
}
