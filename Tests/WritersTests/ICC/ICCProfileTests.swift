import CLCMS2
import Codecs
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct ICCProfileTests {
  /// Offset and length of an element, from the tag table.
  private func element(_ signature: String, in bytes: [UInt8]) -> [UInt8]? {
    func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    for row in 0..<word(128) {
      let at = 132 + 12 * row
      if Array(bytes[at..<at + 4]) == Array(signature.utf8) {
        return [UInt8](bytes[word(at + 4)..<word(at + 4) + word(at + 8)])
      }
    }
    return nil
  }
  private func column(_ signature: String, in bytes: [UInt8]) -> SIMD3<Double>? {
    guard let e = element(signature, in: bytes), e.count == 20 else { return nil }
    func fixed(_ at: Int) -> Double {
      Double(Int32(truncatingIfNeeded: e[at..<at + 4].reduce(0) { $0 << 8 | Int($1) })) / 65_536
    }
    return SIMD3(fixed(8), fixed(12), fixed(16))
  }

  @Test(arguments: ColorSpace.described)
  func bytesAreAlwaysTheSame(profile: ColorSpace) throws {
    let bytes = try profile.iccProfile()
    #expect(bytes == (try profile.iccProfile()))
    #expect(Array(bytes[36..<40]) == Array("acsp".utf8))
    #expect(Array(bytes[8..<12]) == [4, 0x40, 0, 0])
    #expect(Array(bytes[24..<36]) == [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(bytes[0..<4].reduce(0) { $0 << 8 | Int($1) } == bytes.count)
  }

  @Test(arguments: ColorSpace.described)
  func identifierIsTheMD5OfTheRest(profile: ColorSpace) throws {
    var bare = try profile.iccProfile()
    let identifier = Array(bare[84..<100])
    for index in Array(44..<48) + Array(64..<68) + Array(84..<100) { bare[index] = 0 }
    #expect(identifier == (try LCMSDisplayProfile.md5(bare)))
    #expect(identifier != [UInt8](repeating: 0, count: 16))
  }

  /// RFC 1321, appendix A.5.
  @Test func md5HasItsPublishedValue() throws {
    let digest = try LCMSDisplayProfile.md5(Array("abc".utf8))
    #expect(
      digest.map { String(format: "%02x", $0) }.joined() == "900150983cd24fb0d6963f7d28e17f72")
  }

  /// Red, green and blue under D50 as the profiles of Apple (Display P3), the ICC (sRGB v4,
  /// BT.2020) and others have them.
  @Test(arguments: [
    (ColorSpace.displayP3, [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189]),
    (.linearDisplayP3, [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189]),
    (.sRGB, [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708]),
    (.bt2020, [0.67348, 0.27904, -0.00194], [0.16566, 0.67534, 0.02998]),
    (.bt2100PQ, [0.67348, 0.27904, -0.00194], [0.16566, 0.67534, 0.02998]),
    (.adobeRGB, [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087]),
    (.proPhoto, [0.79767, 0.28804, 0], [0.13519, 0.71187, 0]),
  ])
  func colorantsAreThePublishedOnes(profile: ColorSpace, red: [Double], green: [Double]) throws {
    let bytes = try profile.iccProfile()
    let r = try #require(column("rXYZ", in: bytes))
    let g = try #require(column("gXYZ", in: bytes))
    let b = try #require(column("bXYZ", in: bytes))
    for i in 0..<3 {
      #expect(abs(r[i] - red[i]) < 1e-4)
      #expect(abs(g[i] - green[i]) < 1e-4)
      #expect(abs((r + g + b)[i] - [0.9642, 1, 0.8249][i]) < 1e-4)
    }
  }

  @Test func hdrProfilesCarryTheirCodePoints() throws {
    let head: [UInt8] = [0x63, 0x69, 0x63, 0x70, 0, 0, 0, 0]
    #expect(element("cicp", in: try ColorSpace.bt2100PQ.iccProfile()) == head + [9, 16, 0, 1])
    #expect(element("cicp", in: try ColorSpace.bt2100HLG.iccProfile()) == head + [9, 18, 0, 1])
    #expect(element("cicp", in: try ColorSpace.bt2020.iccProfile()) == nil)
    #expect(column("lumi", in: try ColorSpace.bt2100PQ.iccProfile()) == SIMD3(0, 203, 0))
  }

  /// Gray of `signals` in `profile` as linear values, by lcms2 into our linear BT.2020.
  private func linear(_ profile: ColorSpace, _ signals: [SIMD3<Float>]) throws -> [SIMD3<Float>] {
    let context = try #require(cmsCreateContext(nil, nil))
    defer { cmsDeleteContext(context) }
    let (from, to) = (try profile.iccProfile(), try ColorSpace.linearBT2020.iccProfile())
    let source = try #require(cmsOpenProfileFromMemTHR(context, from, UInt32(from.count)))
    defer { cmsCloseProfile(source) }
    let target = try #require(cmsOpenProfileFromMemTHR(context, to, UInt32(to.count)))
    defer { cmsCloseProfile(target) }
    // TYPE_RGB_FLT: float, RGB, three channels of four bytes.
    let format: UInt32 = 1 << 22 | 4 << 16 | 3 << 3 | 4
    let transform = try #require(
      cmsCreateTransformTHR(context, source, format, target, format, 1, 0x0040 | 0x0100))
    defer { cmsDeleteTransform(transform) }
    let input = signals.flatMap { [$0.x, $0.y, $0.z] }
    var output = [Float](repeating: 0, count: input.count)
    cmsDoTransform(transform, input, &output, UInt32(signals.count))
    return signals.indices.map { SIMD3(output[3 * $0], output[3 * $0 + 1], output[3 * $0 + 2]) }
  }

  @Test(arguments: ColorSpace.described)
  func whiteAndBlackAreWhiteAndBlack(profile: ColorSpace) throws {
    let made = try linear(profile, [SIMD3(0, 0, 0), SIMD3(1, 1, 1)])
    for i in 0..<3 {
      #expect(abs(made[0][i]) < 1e-4)
      #expect(abs(made[1][i] - 1) < 2e-4)
    }
  }

  /// The profile converts what the TIFF encoders write to the same linear values.
  @Test(arguments: [
    (ColorSpace.displayP3, { @Sendable (v: Double) in SRGB.signal(linear: v) }),
    (.sRGB, { @Sendable (v: Double) in SRGB.signal(linear: v) }),
    (.bt2020, { @Sendable (v: Double) in BT2020.signal(linear: v) }),
    (.adobeRGB, { @Sendable (v: Double) in AdobeRGB.signal(linear: v) }),
    (.proPhoto, { @Sendable (v: Double) in ROMM.signal(linear: v) }),
    (.linearSRGB, { @Sendable (v: Double) in v }),
    (.bt2100PQ, { @Sendable (v: Double) in PQ.signal(nits: v * 203) }),
    (
      .bt2100HLG,
      { @Sendable (v: Double) in
        HLG.signal(scene: HLG.scene(display: SIMD3(repeating: v * 0.203)).x)
      }
    ),
  ])
  func curveUndoesTheEncoding(
    profile: ColorSpace, signal: @Sendable (Double) -> Double
  ) throws {
    let grays: [Double] = [0.001, 0.01, 0.05, 0.18, 0.5, 0.8, 0.99]
    let made = try linear(profile, grays.map { SIMD3(repeating: Float(signal($0))) })
    for (gray, rgb) in zip(grays, made) {
      for i in 0..<3 { #expect(abs(Double(rgb[i]) - gray) < 2e-4, "\(gray)") }
    }
  }

  /// P3 red in BT.2020: the matrix between the two, from their chromaticities.
  @Test func p3RedKeepsItsColor() throws {
    let made = try linear(.displayP3, [SIMD3(1, 0, 0)])[0]
    let expected = Primaries.displayP3.conversion(to: .bt2020) * SIMD3(1, 0, 0)
    for i in 0..<3 { #expect(abs(Double(made[i]) - expected[i]) < 3e-4) }
  }
}
