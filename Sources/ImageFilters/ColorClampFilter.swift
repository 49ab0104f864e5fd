import CVector
public import HDRRender
public import ImageCore

/// Clamps each channel: for data that must stay in a range. Not HDR-safe, as
/// ``EditOperation/isHDRSafe`` says. NaN becomes the lower end. No range returns the picture
/// itself, because whether values below 0 occur is not known beforehand.
public struct ColorClampFilter: ImageFilter, Hashable {
  /// The range that values are clamped to.
  public let range: ClosedRange<Float>

  /// Throws when an end is not finite.
  public init(_ range: ClosedRange<Float> = 0...1) throws(OperatorError) {
    guard range.lowerBound.isFinite, range.upperBound.isFinite else {
      throw OperatorError("clamp", "\(range) is not finite; give two numbers")
    }
    self.range = range
  }

  /// `.colorClamp`.
  public var operation: EditOperation { .colorClamp }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    RowStage(
      source, ClampRow(low: range.lowerBound, high: range.upperBound),
      headroom: min(max(source.info.headroom, range.lowerBound), range.upperBound))
  }
}

private struct ClampRow: RowFilter {
  let low: Float
  let high: Float

  func apply(_ row: RGBRows, at origin: PixelPoint) {
    let (low, high) = (SIMD8<Float>(repeating: low), SIMD8<Float>(repeating: high))
    for x in vectors(row.count) {
      row.setLanes(x, row.lanes(x).map { cv_clamp8($0, low, high) })
    }
  }
}
