public import ImageCore

/// Converts a picture to other primaries. Out-of-gamut colors either keep negative channels,
/// unclipped, or are mapped into the gamut (``GamutMapping``). With its own primaries the picture
/// itself is returned, bit for bit.
///
/// Source: linear RGB to XYZ to linear RGB, white D65 (SMPTE RP 177). Units: linear light, 1.0 =
/// reference white; the headroom of the result bounds its channels, which may exceed the source's
/// when colors are not mapped.
public struct PrimariesConversion: PixelSource {
  /// Linear display values.
  public typealias State = DisplayReferred

  /// The new primaries, and an upper bound of the channels.
  public let info: DisplayReferred.Info
  private let source: any PixelSource<DisplayReferred>
  private let matrix: ColorMatrix?
  private let mapping: GamutMapping?

  /// `source` in `primaries`, with out-of-gamut colors mapped or not.
  public init(
    _ source: any PixelSource<DisplayReferred>, to primaries: Primaries, isMapped: Bool = true
  ) {
    self.source = source
    let headroom = source.info.headroom
    guard source.info.primaries != primaries else {
      (matrix, mapping, info) = (nil, nil, source.info)
      return
    }
    let conversion = source.info.primaries.conversion(to: primaries)
    matrix = ColorMatrix(conversion)
    mapping = isMapped ? GamutMapping(primaries: primaries, headroom: headroom) : nil
    // No channel exceeds the source's largest times the sum of the positive factors of its row.
    let growth = (0..<3).map { row in
      (0..<3).reduce(0.0) { $0 + max(conversion[row, $1], 0) }
    }
    info = DisplayReferred.Info(
      primaries: primaries,
      headroom: isMapped ? headroom : headroom * Float(max(growth.max() ?? 1, 1)),
      sources: source.info.sources)
  }

  /// Columns and rows.
  public var size: PixelSize { source.size }
  /// As for the source.
  public var bandHeight: Int { source.bandHeight }

  /// Fills `buffer` with the pixels of `rect`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    guard let matrix else { return }
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      matrix.apply(rows)
      mapping?.apply(rows)
    }
  }
}
