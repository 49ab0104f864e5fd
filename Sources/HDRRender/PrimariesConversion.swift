public import ImageCore

/// Converts a picture to other primaries. Colors inside them are given by the matrix, independent
/// of the treatment of the others (``Outside``). With its own primaries the picture itself is
/// returned, bit for bit.
///
/// Source: linear RGB to XYZ to linear RGB, white D65 (SMPTE RP 177). Units: linear values, 1.0 =
/// reference white; the headroom of the result bounds its channels. For a picture above white they
/// may exceed the source's, as a saturated color of BT.2020 does in narrower primaries.
public struct PrimariesConversion: PixelSource {
  /// Linear display values.
  public typealias State = DisplayReferred

  /// What becomes of colors outside the new primaries.
  public enum Outside: Sendable, Hashable {
    /// They keep negative channels and channels above the headroom, for values that hold both.
    case kept
    /// They are brought to the surface of the gamut (``GamutMapping``); all others stay. The rule
    /// for finished pictures.
    case surface
    /// The same by the rule of renditions, which also moves colors close to the surface, so that no
    /// two collapse: small pictures of raws.
    case compressed
  }

  /// The new primaries, and an upper bound of the channels.
  public let info: DisplayReferred.Info
  private let source: any PixelSource<DisplayReferred>
  private let matrix: ColorMatrix?
  private let mapping: GamutMapping?

  /// `source` in `primaries`. `limit` is the largest value that can be held of a picture that is
  /// not above it, a ratio to reference white.
  public init(
    _ source: any PixelSource<DisplayReferred>, to primaries: Primaries,
    _ outside: Outside = .surface, limit: Float = .infinity
  ) {
    self.source = source
    let headroom = source.info.headroom
    guard source.info.primaries != primaries else {
      (matrix, mapping, info) = (nil, nil, source.info)
      return
    }
    let conversion = source.info.primaries.conversion(to: primaries)
    matrix = ColorMatrix(conversion)
    // No channel exceeds the source's largest times the sum of the positive factors of its row, but
    // by rounding. In wider primaries that is 1.
    let rows = (0..<3).map { row in
      (0..<3).reduce(0.0) { $0 + max(conversion[row, $1], 0) }
    }
    let growth = rows.max() ?? 1
    let grown = growth > 1.0001 ? headroom * Float(growth * 1.000_001) : headroom
    let top: Float
    switch outside {
    case .kept: (top, mapping) = (grown, nil)
    case .surface:
      // White is the maximum of an SDR picture.
      top = headroom > 1 ? max(headroom, min(grown, limit)) : headroom
      mapping = GamutMapping(primaries: primaries, headroom: top, keepsInside: true)
    case .compressed:
      (top, mapping) = (headroom, GamutMapping(primaries: primaries, headroom: headroom))
    }
    info = DisplayReferred.Info(
      primaries: primaries, headroom: top, sources: source.info.sources)
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
