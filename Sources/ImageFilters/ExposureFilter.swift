import Foundation
public import HDRRender
public import ImageCore

/// Multiplies by 2^stops. 0 stops returns the picture itself; the headroom is scaled as well.
public struct ExposureFilter: ImageFilter, Hashable {
  /// Stops, −32…32.
  public let stops: Double

  /// Throws outside −32…32.
  public init(stops: Double) throws(OperatorError) {
    guard abs(stops) <= 32 else {
      throw OperatorError("exposure", "\(stops) stops; give -32 to 32")
    }
    self.stops = stops
  }

  /// `.exposure`.
  public var operation: EditOperation { .exposure }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    if stops == 0 { return source }
    let gain = Float(exp2(stops))
    return RowStage(source, GainRow(gain: gain), headroom: source.info.headroom * gain)
  }
}

private struct GainRow: RowFilter {
  let gain: Float

  func apply(_ row: RGBRows, at origin: PixelPoint) {
    for x in 0..<row.count {
      row.red[x] *= gain
      row.green[x] *= gain
      row.blue[x] *= gain
    }
  }
}
