import CVector
import Foundation
public import ImageCore

/// The OOTF of hybrid log-gamma and its inverse: between scene light and display light.
///
/// Source: ITU-R BT.2100-2 table 5, γ = 1.2 for a display of 1000 cd/m²: F = E · Y^(γ − 1) with Y
/// the luminance of E, and E = F · Y^((1 − γ) / γ) with Y the luminance of F/Lw. Units: scene
/// values E with 1.0 for signal 1; display values in multiples of 203 cd/m². BT.2020 primaries.
/// Luminance is computed from the channels above 0, so that both directions are inverses for any
/// color that has such a channel; all others become black. Error of the float series below 1e-5.
public struct HLGSceneLight: PixelSource {
  /// Linear display values, or scene values.
  public typealias State = DisplayReferred

  /// The direction of the conversion.
  public enum Direction: Sendable, Hashable {
    /// Display to scene: a scene-referred reading of a file.
    case toScene
    /// Scene to display: for writing a scene-referred picture.
    case toDisplay
  }

  private let source: any PixelSource<DisplayReferred>
  private let direction: Direction
  /// Primaries, and a bound of the channels.
  public let info: DisplayReferred.Info

  /// Throws when `source` is not in BT.2020.
  public init(_ source: any PixelSource<DisplayReferred>, _ direction: Direction)
    throws(OperatorError)
  {
    guard source.info.primaries == .bt2020 else {
      throw OperatorError(
        "hybrid log-gamma",
        "values in \(source.info.primaries.rawValue); convert it to BT.2020 first")
    }
    self.source = source
    self.direction = direction
    let peak = Double(max(source.info.headroom, 0))
    let gamma = HLG.systemGamma
    let bound =
      switch direction {
      // The gain is largest for a single channel, and blue has the lowest luminance.
      case .toScene:
        pow(peak * ReferenceWhite.nits / HLG.peakNits, 1 / gamma)
          * pow(Primaries.bt2020.luminance.min(), (1 - gamma) / gamma)
      case .toDisplay: pow(peak, gamma) * HLG.peakNits / ReferenceWhite.nits
      }
    let headroom = Float(min(bound * (1 + 1e-4), 1e30))
    info = DisplayReferred.Info(
      primaries: .bt2020, headroom: headroom, sources: source.info.sources)
  }

  /// Columns and rows.
  public var size: PixelSize { source.size }
  /// As for the source.
  public var bandHeight: Int { source.bandHeight }

  /// Fills `buffer` with the pixels of `rect`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let isToScene = direction == .toScene
    let gamma = HLG.systemGamma
    let exponent = Float(isToScene ? (1 - gamma) / gamma : gamma - 1)
    let (before, after) =
      isToScene ? (1 / ReferenceWhite.hlgHeadroom, 1) : (1, ReferenceWhite.hlgHeadroom)
    let weights = SIMD3<Float>(Primaries.bt2020.luminance)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      for x in vectors(rows.count) {
        let rgb = rows.lanes(x).map { $0 * before }
        let luminance = rgb.map { cv_max8($0, .zero) }.weighted(weights)
        let gain = cv_exp2_8(
          cv_log2_8(cv_max8(luminance, SIMD8(repeating: 1e-20))) * exponent)
        let scale = select(luminance .> 0, gain * after, .zero)
        rows.setLanes(x, rgb * scale)
      }
    }
  }
}
