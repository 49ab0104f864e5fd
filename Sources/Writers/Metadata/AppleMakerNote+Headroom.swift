import Containers
import HDRRender
import ImageCore

extension AppleMakerNote {
  /// The note for a picture whose gain map reaches `headroom` times reference white, with the two
  /// values that encode it; at most 8.
  static func bytes(headroom: Double) -> [UInt8] {
    let values = AppleGainMap.MakerValues(headroom: headroom)
    // Steps of a millionth are at most 7e-5 stops.
    func fraction(_ value: Double) -> SignedRational {
      SignedRational(Int32((value * 1_000_000).rounded()), 1_000_000)
    }
    return bytes([(33, fraction(values.headroom33)), (48, fraction(values.gain48))])
  }
}
