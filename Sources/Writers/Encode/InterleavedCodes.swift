import HDRRender
import ImageCore
import Synchronization

/// A complete picture as rows of interleaved 16-bit RGB code values, for encoders that need all of
/// it.
struct InterleavedCodes: Sendable {
  let size: PixelSize
  let encoder: any RowEncoder
  /// Rolls off highlights above the peak of the color space; nil without any.
  let toneMapping: BT2390?

  /// Fills `memory`, 6 bytes a pixel without gaps, and measures luminance.
  func fill(
    _ memory: BandMemory.Block, from picture: some PixelSource<DisplayReferred>, workers: Int
  ) throws -> ContentLightStatistics {
    let statistics = Mutex(ContentLightStatistics())
    try PictureBands(picture, workers: workers).forEach { band, _ in
      encode(band, into: memory)
    } consume: { _, ofBand in
      statistics.withLock { $0.add(ofBand) }
    }
    return statistics.withLock { $0 }
  }

  private func encode(
    _ band: PictureBand, into memory: BandMemory.Block
  ) -> ContentLightStatistics {
    guard let start = unsafe memory.bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else {
      return ContentLightStatistics()
    }
    let statistics = band.rollOff(toneMapping)
    for piece in band.pieces {
      for y in 0..<band.rect.height {
        let first = (band.rect.y + y) * size.width + piece.columns.lowerBound
        unsafe encoder.encode(piece.rows(y), into: start + 3 * first)
      }
    }
    return statistics
  }
}

extension PictureBand {
  /// Rolls off highlights, where `toneMapping` is given, and measures the luminance that is left.
  func rollOff(_ toneMapping: BT2390?) -> ContentLightStatistics {
    pieces.reduce(into: ContentLightStatistics()) { $0.add($1.pixels.rollOff(toneMapping)) }
  }
}

extension PlanarBuffer {
  /// Rolls off highlights, where `toneMapping` is given, and measures the luminance that is left.
  func rollOff(_ toneMapping: BT2390?) -> ContentLightStatistics {
    if let toneMapping { for y in 0..<size.height { toneMapping.apply(rows(y)) } }
    var statistics = ContentLightStatistics()
    statistics.add(self)
    return statistics
  }
}
