/// Reference (diffuse) white of HDR stills, ITU-R BT.2408 and ISO 22028-5.
public enum ReferenceWhite {
  /// Luminance of linear 1.0, cd/m².
  public static let nits = 203.0
  /// The brightest linear value that HLG on its 1000-cd/m² display can show, about 4.926.
  public static let hlgHeadroom = Float(HLG.peakNits / nits)
  /// The brightest linear value of PQ, about 49.26.
  public static let pqHeadroom = Float(PQ.peakNits / nits)
}
