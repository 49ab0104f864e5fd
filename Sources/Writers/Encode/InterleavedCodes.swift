import HDRRender
import ImageCore

/// A whole picture as rows of interleaved 16-bit RGB code values, for encoders that need it whole.
struct InterleavedCodes: Sendable {
  let size: PixelSize
  let encoder: any RowEncoder
  /// Rolls off highlights above the peak of the color space; nil where there are none.
  let toneMapping: BT2390?

  /// Fills `memory`, 6 bytes a pixel without gaps, and measures luminance.
  func fill(
    _ memory: BandMemory.Block, from picture: some PixelSource<DisplayReferred>, workers: Int
  ) -> ContentLightStatistics {
    let height = max(picture.bandHeight, 64)
    let bands = (size.height + height - 1) / height
    let pool = BufferPool()
    let parts = Parallel.map(count: bands, workers: workers) { index in
      let rect = PixelRect(
        x: 0, y: index * height, width: size.width,
        height: min(height, size.height - index * height))
      return pool.withBuffer(rect.size) { light in
        picture.read(rect, into: light)
        return encode(light, into: memory, from: rect.y)
      }
    }
    return parts.reduce(into: ContentLightStatistics()) { $0.add($1) }
  }

  private func encode(
    _ light: PlanarBuffer, into memory: BandMemory.Block, from first: Int
  ) -> ContentLightStatistics {
    guard let start = unsafe memory.bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else {
      return ContentLightStatistics()
    }
    let statistics = light.rollOff(toneMapping)
    for y in 0..<light.size.height {
      unsafe encoder.encode(light.rows(y), into: start + (first + y) * size.width * 3)
    }
    return statistics
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
