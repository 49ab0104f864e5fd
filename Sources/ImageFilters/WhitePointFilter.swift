public import HDRRender
public import ImageCore

/// Adapts the picture from one white point to another by linear Bradford adaptation
/// (`ChromaticAdaptation`). Colors of the chromaticity `source` get the chromaticity `target` at
/// the same luminance. Equal whites: the picture itself.
public struct WhitePointFilter: ImageFilter, Hashable {
  /// The white point of the picture.
  public let source: Chromaticity
  /// The white point of the result.
  public let target: Chromaticity

  /// Throws when a chromaticity is not a real color: x ≥ 0, y ≥ 0.01, x + y ≤ 1.
  public init(from source: Chromaticity, to target: Chromaticity = .d65) throws(OperatorError) {
    for white in [source, target]
    where !(white.x >= 0 && white.y >= 0.01 && white.x + white.y <= 1) {
      throw OperatorError(
        "white point", "\(white.x), \(white.y) is not a chromaticity; give x and y of a white")
    }
    self.source = source
    self.target = target
  }

  /// `.whitePoint`.
  public var operation: EditOperation { .whitePoint }

  /// `picture` with the filter applied when it is read.
  public func applied(to picture: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    if source == target { return picture }
    let primaries = picture.info.primaries
    let matrix =
      primaries.fromXYZ * ChromaticAdaptation.bradford(from: source, to: target) * primaries.toXYZ
    return RowStage(
      picture, MatrixRow(matrix: ColorMatrix(matrix)),
      headroom: matrix.bound(picture.info.headroom))
  }
}
