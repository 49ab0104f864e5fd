import ImageCore
import Testing

@Suite struct PrimariesTests {
  /// BT.2020, BT.709 and SMPTE EG 432-1 list these luminance weights.
  @Test func luminanceWeights() {
    for (primaries, published) in [
      (Primaries.bt2020, SIMD3(0.2627, 0.6780, 0.0593)),
      (.srgb, SIMD3(0.2126, 0.7152, 0.0722)), (.displayP3, SIMD3(0.2290, 0.6917, 0.0793)),
      (.adobeRGB, SIMD3(0.29734, 0.62736, 0.07529)),
    ] {
      let difference = primaries.luminance - published
      #expect(max(difference.max(), -difference.min()) < 6e-5)
    }
  }

  /// ISO 22028-2 lists ROMM RGB to XYZ under its own white, D50.
  @Test func proPhotoIsDefinedUnderD50() {
    let m =
      ChromaticAdaptation.bradford(from: .d65, to: .d50) * Primaries.proPhoto.toXYZ
    let published = [0.7977, 0.1352, 0.0313, 0.2880, 0.7119, 0.0001, 0, 0, 0.8249]
    for i in 0..<9 { #expect(abs(m[i / 3, i % 3] - published[i]) < 3e-4) }
  }

  /// SMPTE ST 2065-1 and Academy S-2014-004 list the matrices to XYZ under the white of ACES, and
  /// TB-2014-004 that from AP0 to AP1.
  @Test func acesIsAsPublished() {
    let toOwn = ChromaticAdaptation.bradford(from: .d65, to: .aces)
    let ap0 = [
      0.9525523959, 0, 0.0000936786, 0.3439664498, 0.7281660966, -0.0721325464, 0, 0, 1.0088251844,
    ]
    let ap1 = [
      0.6624541811, 0.1340042065, 0.1561876870, 0.2722287168, 0.6740817658, 0.0536895174,
      -0.0055746495, 0.0040607335, 1.0103391003,
    ]
    let ap0ToAP1 = [
      1.4514393161, -0.2365107469, -0.2149285693, -0.0765537734, 1.1762296998, -0.0996759264,
      0.0083161484, -0.0060324498, 0.9977163014,
    ]
    for (m, published) in [
      (toOwn * Primaries.acesAP0.toXYZ, ap0), (toOwn * Primaries.acesAP1.toXYZ, ap1),
      (Primaries.acesAP0.conversion(to: .acesAP1), ap0ToAP1),
    ] {
      for i in 0..<9 { #expect(abs(m[i / 3, i % 3] - published[i]) < 1e-9) }
    }
  }

  /// From linear sRGB to ACEScg as the configurations of ACES for OpenColorIO list it, by Bradford.
  @Test func srgbToACEScg() {
    let m = Primaries.srgb.conversion(to: .acesAP1)
    let published = [
      0.613097, 0.339523, 0.047379, 0.070194, 0.916354, 0.013452, 0.020616, 0.109570, 0.869815,
    ]
    for i in 0..<9 { #expect(abs(m[i / 3, i % 3] - published[i]) < 2e-6) }
  }

  @Test func cameraChannelsAreNoColors() {
    #expect(Primaries.bt2020.conversion(to: .camera) == .identity)
    #expect(Primaries.camera.conversion(to: .bt2020) == .identity)
    #expect(Primaries.camera.codePoint == 2)
  }

  @Test func whiteStaysWhite() {
    for from in Primaries.allCases {
      for to in Primaries.allCases {
        let white = from.conversion(to: to) * SIMD3(1, 1, 1)
        #expect(abs(white.x - 1) < 1e-12 && abs(white.y - 1) < 1e-12 && abs(white.z - 1) < 1e-12)
      }
    }
  }

  /// ITU-R BT.2087 lists the conversion from BT.709.
  @Test func bt709ToBT2020() {
    let m = Primaries.srgb.conversion(to: .bt2020)
    let published = [0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.0880, 0.8956]
    for i in 0..<9 { #expect(abs(m[i / 3, i % 3] - published[i]) < 6e-5) }
  }

  /// The Bradford matrix from D65 to D50 as Lindbloom lists it, within the rounding of the whites.
  @Test func bradford() {
    let m = ChromaticAdaptation.bradford(from: .d65, to: .d50)
    let published = [
      1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436,
      0.7521316,
    ]
    for i in 0..<9 { #expect(abs(m[i / 3, i % 3] - published[i]) < 2e-3) }
    let white = m * Chromaticity.d65.xyz - Chromaticity.d50.xyz
    #expect(max(white.max(), -white.min()) < 1e-12)
    #expect(ChromaticAdaptation.bradford(from: .d50, to: .d50) == .identity)
  }

  @Test func inverse() {
    let m = Matrix3([2, 1, 0, 0.5, 3, 1, 1, 0, 4])
    guard let inverse = m.inverse else {
      Issue.record("the matrix has an inverse")
      return
    }
    let one = m * inverse
    for i in 0..<9 { #expect(abs(one[i / 3, i % 3] - (i % 4 == 0 ? 1 : 0)) < 1e-12) }
    #expect(Matrix3([1, 2, 3, 2, 4, 6, 0, 0, 1]).inverse == nil)
  }
}
