/// How much headroom a scene is given.
///
/// The brightest scene value keeps its own level: a light four times as bright as reference white is
/// shown at four times reference white when the whole headroom is open. Scenes that stay below white
/// get none, and no scene gets more than ``Headroom/maximum``: 16× (four stops, 3,248 cd/m²), what
/// the best displays can show and above what phones use.
public enum Headroom {
  /// The largest headroom any file is given.
  public static let maximum: Float = 16

  /// The headroom of a scene whose brightest value is `peak` (1.0 = reference white).
  public static func ofScene(peak: Float) -> Float {
    peak.isFinite ? min(max(peak, 1), maximum) : 1
  }
}
