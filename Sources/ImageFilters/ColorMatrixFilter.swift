import Foundation
public import HDRRender
public import ImageCore

/// A 3 × 3 matrix on the channels, and an offset, on linear values in the picture's own primaries.
///
/// The identity returns the picture itself. Units: multiples of reference white. The headroom of
/// the result bounds channels that were between 0 and the picture's headroom; negative channels
/// under a negative factor may exceed it.
public struct ColorMatrixFilter: ImageFilter, Hashable {
  /// Multiplied with each pixel.
  public let matrix: Matrix3
  /// Added to each channel afterwards.
  public let offset: Double

  /// Throws when a factor is not a number within ±1e6, the offset within ±1e4.
  public init(_ matrix: Matrix3, offset: Double = 0) throws(OperatorError) {
    let isInRange = matrix.rows.allSatisfy { row in (0..<3).allSatisfy { abs(row[$0]) <= 1e6 } }
    guard isInRange, abs(offset) <= 1e4 else {
      throw OperatorError(
        "color matrix", "\(matrix.rows) and \(offset); give factors within 1e6 and 1e4")
    }
    self.matrix = matrix
    self.offset = offset
  }

  /// Saturation: 0 gives the luminance in `primaries`, which must be the picture's, 1 changes
  /// nothing, 2 doubles the distance to gray; luminance is unchanged. Throws outside 0…8.
  public static func saturation(_ amount: Double, in primaries: Primaries) throws(OperatorError)
    -> ColorMatrixFilter
  {
    guard amount >= 0, amount <= 8 else {
      throw OperatorError("color matrix", "a saturation of \(amount); give 0 to 8")
    }
    let gray = primaries.luminance * (1 - amount)
    return try ColorMatrixFilter(
      amount == 1 ? .identity : Matrix3(gray, gray, gray) + .identity * amount)
  }

  /// `.colorMatrix`.
  public var operation: EditOperation { .colorMatrix }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    matrix == .identity && offset == 0
      ? source
      : RowStage(
        source, MatrixRow(matrix: ColorMatrix(matrix, offset: offset)),
        headroom: matrix.bound(source.info.headroom) + Float(offset))
  }
}

extension Matrix3 {
  /// The largest result for channels in 0…`headroom`, with room for rounding.
  func bound(_ headroom: Float) -> Float { headroom * Float(largestGain) * (1 + 1e-6) }
}

struct MatrixRow: RowFilter {
  let matrix: ColorMatrix

  func apply(_ row: RGBRows, at origin: PixelPoint) {
    matrix.apply(row)
  }
}
