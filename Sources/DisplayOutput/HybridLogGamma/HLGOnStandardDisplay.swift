import Foundation
public import HDRRender
public import ImageCore

/// A hybrid log-gamma picture as displayed by an SDR display without support for the format.
///
/// Source: ITU-R BT.2390 and ARIB STD-B67 on the compatibility of hybrid log-gamma: the signal is
/// displayed as if it were BT.2020 SDR, by the BT.1886 EOTF with black at 0,
///
///     L = V^2.4      1.0 = the display's white, 100 cd/m²
///
/// Nothing exceeds 1.0. Values above 1000 cd/m² in the picture are clipped, as its signal is. Check
/// values: V 0.75 (203 cd/m²) → 0.5014, V 0.5 → 0.1895. Known failure: colors are BT.2020 SDR,
/// without the desaturation due to the system gamma.
public struct HLGOnStandardDisplay: PixelSource {
  /// Linear display values.
  public typealias State = DisplayReferred

  /// Exponent of BT.1886.
  public static let gamma = 2.4
  private let source: any PixelSource<DisplayReferred>
  /// BT.2020, up to 1.
  public let info: DisplayReferred.Info

  /// `source` holds linear values for the reference display of hybrid log-gamma, 1.0 = 203 cd/m².
  /// Throws when it is not in BT.2020.
  public init(_ source: any PixelSource<DisplayReferred>) throws(OperatorError) {
    guard source.info.primaries == .bt2020 else {
      throw OperatorError(
        "hybrid log-gamma",
        "values in \(source.info.primaries.rawValue); convert it to BT.2020 first")
    }
    self.source = source
    info = DisplayReferred.Info(primaries: .bt2020, headroom: 1, sources: source.info.sources)
  }

  /// Columns and rows.
  public var size: PixelSize { source.size }
  /// The source's.
  public var bandHeight: Int { source.bandHeight }

  /// Fills `buffer` with the pixels of `rect`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let row = buffer.rows(y)
      SignalTransfer.hlg.encode(row)
      for samples in [row.red, row.green, row.blue] {
        for x in 0..<rect.width {
          let signal = Double(samples[x])
          samples[x] = signal > 0 ? Float(pow(min(signal, 1), Self.gamma)) : 0
        }
      }
    }
  }
}
