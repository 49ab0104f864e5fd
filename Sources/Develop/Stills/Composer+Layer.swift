import HDRRender
import ImageCore
import ImageFilters
import Readers
import Recipes

extension Composer {
  /// One of the pictures, as it is held until the file is written.
  struct Layer {
    var shown: any PixelSource<DisplayReferred>
    /// For outputs with a gain map.
    var standard: (any PixelSource<DisplayReferred>)?
    /// How opaque it is; nil where it is all.
    var alpha: PixelMask?
    var notes: [String]
    var bytes: Int
  }

  /// Decodes `image`, of the file at `path`, in addition to layers that hold `held` bytes. Where
  /// its renditions take less than its samples, such as in small cells, only they are held.
  func layer(_ image: StillImage, _ path: String, held: Int) throws -> Layer {
    let decoded = image.decodedBytes
    guard decoded <= limits.maxDecodeBytes - held else {
      throw ReadError(
        .tooLarge,
        "with the pictures before it, it takes more than the limit of \(limits.maxDecodeBytes) "
          + "bytes; compose fewer, or a grid of smaller cells", path: path)
    }
    let isOver = layout == .over
    let (stored, alpha) = isOver ? try image.layer() : (try image.picture(), nil)
    let picture = try stored.edited(by: edits, workers: workers)
    let mask = try alpha.map { try self.mask($0) }
    func rendition(isHigh: Bool) throws -> any PixelSource<DisplayReferred> {
      let rendering =
        isHigh
        ? DisplayRendering(
          .high,
          displayHeadroom: output.encoding.isFloat ? picture.reach : picture.contentHeadroom)
        : DisplayRendering(.standard, displayHeadroom: 1)
      let full = PrimariesConversion(
        rendering(picture), to: output.primaries, output.encoding.outsidePrimaries)
      guard layout == .grid, let cell else { return full }
      return try fitted(full, into: cell)
    }
    let notes = picture.notes
    let shown = try rendition(isHigh: output.isHDR)
    let standard = output.format.hasGainMap ? try rendition(isHigh: false) : nil
    let floats = (standard == nil ? 3 : 6) * MemoryLayout<Float>.stride
    guard shown.size.area < decoded / floats else {
      return Layer(
        shown: shown, standard: standard, alpha: mask, notes: notes, bytes: decoded)
    }
    func rendered(_ source: any PixelSource<DisplayReferred>) throws(PixelError) -> any PixelSource<
      DisplayReferred
    > {
      try Image(rendering: source, workers: workers)
    }
    return Layer(
      shown: try rendered(shown), standard: try standard.map { try rendered($0) }, alpha: mask,
      notes: notes, bytes: shown.size.area * floats)
  }

  /// A plane of alpha, moved as its picture is by the edits.
  private func mask(_ alpha: any PixelSource<DisplayReferred>) throws -> PixelMask {
    let moves = edits.filter { $0.operation.categories.contains(.geometry) }
    let plane = try Image(rendering: try alpha.edited(by: moves), workers: workers)
    return PixelMask(size: plane.size) { plane[$0.x, $0.y].x }
  }
}

extension StillImage {
  /// Bytes of its samples and its gain map, once they are decoded.
  var decodedBytes: Int {
    func bytes(_ size: PixelSize, _ channels: Int, bits: Int) -> Int {
      let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
      // The declared size of a map is untrusted.
      guard !overflow, area <= 1 << 48 else { return 1 << 56 }
      return area * channels * (bits <= 8 ? 1 : bits <= 16 ? 2 : 4)
    }
    let map = gainMap.map { bytes($0.size, $0.channels, bits: $0.bitDepth) } ?? 0
    return bytes(size, channels, bits: bitDepth) + map
  }
}
