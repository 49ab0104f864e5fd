import Foundation

/// The headroom of a scene, and how much of it a rendering uses.
///
/// The brightest scene value keeps its level: a lamp four times as bright as reference white is
/// rendered at four times reference white at amount 1. Scenes that stay below white get no
/// headroom, and no scene gets more than ``Headroom/maximum``: 16× (four stops, 3,248 cd/m²), which
/// the best displays reach and phones do not.
public enum Headroom {
  /// The largest headroom any file is given.
  public static let maximum: Float = 16

  /// The headroom of a scene whose brightest value is `peak` (1.0 = reference white).
  public static func ofScene(peak: Float) -> Float {
    peak.isFinite ? min(max(peak, 1), maximum) : 1
  }

  /// The largest display value at `amount` (0…1) of `headroom`: headroom^amount. Equal steps of the
  /// amount are equal numbers of stops, as for a gain map's weight (ISO 21496-1).
  package static func brightest(of headroom: Double, amount: Double) -> Double {
    pow(headroom, amount)
  }

  /// The amount at which the largest display value is `brightest`: the inverse of
  /// ``brightest(of:amount:)`` in its second argument. 1 for a headroom of 1 and below, where the
  /// amount has no effect.
  package static func amount(of headroom: Float, reaching brightest: Float) -> Float {
    headroom > 1 ? log(brightest) / log(headroom) : 1
  }
}
