import Foundation

/// How much headroom a scene is given, and how much of it is opened.
///
/// The brightest scene value keeps its own level: a light four times as bright as reference white
/// is shown at four times reference white when the whole headroom is open. Scenes that stay below
/// white get none, and no scene gets more than ``Headroom/maximum``: 16× (four stops, 3,248 cd/m²),
/// what the best displays can show and above what phones use.
public enum Headroom {
  /// The largest headroom any file is given.
  public static let maximum: Float = 16

  /// The headroom of a scene whose brightest value is `peak` (1.0 = reference white).
  public static func ofScene(peak: Float) -> Float {
    peak.isFinite ? min(max(peak, 1), maximum) : 1
  }

  /// The largest display value where `amount` (0…1) of `headroom` is open: headroom^amount. Equal
  /// amounts are equal numbers of stops, as a gain map's weight has it (ISO 21496-1).
  package static func brightest(of headroom: Double, amount: Double) -> Double {
    pow(headroom, amount)
  }

  /// The amount at which the largest display value is `brightest`: the inverse of
  /// ``brightest(of:amount:)`` in its second argument. 1 for a headroom of 1 and below, which no
  /// amount opens.
  package static func amount(of headroom: Float, reaching brightest: Float) -> Float {
    headroom > 1 ? log(brightest) / log(headroom) : 1
  }
}
