import CLCMS2
import Formats
import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing
import Writers

@testable import Readers

@Suite struct ICCReaderTests {
  @Test(arguments: ColorSpace.described)
  func ownProfilesComeBackExactly(profile: ColorSpace) throws {
    let bytes = try profile.iccProfile()
    let color = try #require(ICCReader.description(of: bytes))
    let transfer: ColorDescription.Transfer =
      switch (profile, color.transfer) {
      case (.displayP3, _), (.sRGB, _): .srgb
      case (.bt2020, _): .bt709
      case (.adobeRGB, .gamma(let exponent)):
        .gamma(abs(exponent - AdobeRGB.exponent) < 1e-4 ? exponent : 0)
      case (.proPhoto, .curves(let curves)):
        .curves(
          curves.map { curve in
            curve.indices.allSatisfy {
              let signal = Double($0) / Double(curve.count - 1)
              return abs(Double(curve[$0]) - ROMM.linear(signal: signal)) < 1e-5
            } ? curve : []
          })
      case (let space, _) where space.isLinear: .linear
      case (.bt2100PQ, _): .pq
      case (.bt2100HLG, _): .hlg
      default: .gamma(0)
      }
    #expect(color.transfer == transfer && color.primaries == profile.primaries)
    #expect(color.matrix == .identity && color.origin == .profile)
    #expect(color.name == profile.name && color.profile == bytes)
    let isHDR = transfer == .pq || transfer == .hlg
    #expect(color.codePoints == (isHDR ? [9, transfer == .pq ? 16 : 18, 0] : nil))
  }

  /// A `cicp` that breaks the standard is left out: the curve decides.
  @Test(arguments: [(10, UInt8(1)), (11, 0), (8, 77), (9, 77)])
  func wrongCodePointsAreLeftOut(at: Int, value: UInt8) throws {
    var bytes = try ColorSpace.bt2100PQ.iccProfile()
    let start = bytes.count - 12
    #expect(Array(bytes[start..<start + 4]) == Array("cicp".utf8))
    bytes[start + at] = value
    let color = try #require(ICCReader.description(of: bytes))
    #expect(color.codePoints == nil && color.primaries == .bt2020 && color.transfer == .pq)
  }

  /// Without `cicp` the curve tells PQ and hybrid log-gamma, whatever white the profile ends at;
  /// powers are none.
  @Test(arguments: [100.0, 203, 1000, 10_000])
  func curvesOfHighDynamicRangeAreRecognized(whiteNits: Double) throws {
    let pq = LCMSTruth.profile { min(PQ.nits(signal: $0) / whiteNits, 1) }
    #expect(try #require(ICCReader.description(of: pq)).transfer == .pq)
    let fraction = max(whiteNits / 10_000, 0.3)
    for gamma in [1, 1.2] {
      let hlg = LCMSTruth.profile { min(pow(HLG.scene(signal: $0), gamma) / fraction, 1) }
      #expect(try #require(ICCReader.description(of: hlg)).transfer == .hlg)
    }
    for gamma in stride(from: 1.5, through: 8, by: 0.25) {
      #expect(CurveRecognition.highDynamicRange { min(pow($0, gamma) * 2, 1) } == nil)
    }
  }

  /// The tables of real profiles, of Adobe and of the W3C, whose white is 100 cd/m².
  @Test(arguments: ["derived_pq_icc_only_adobe_rec2100pq.png", "derived_pq_icc_only_w3c.jxl"])
  func tablesOfPQAreRecognized(name: String) throws {
    let still = try StillImage(SharedFiles.bytes("more/hdr/\(name)"))
    #expect(still.color.transfer == .pq && still.color.primaries == .bt2020)
    #expect(still.color.matrix == .identity && still.failedISOHDRRules.isEmpty)
    #expect(still.hdrMetadata.contentLight == nil)
  }

  /// Every RGB and gray profile of the system, against lcms2's own transform.
  @Test func systemProfilesAgreeWithLCMS() throws {
    let folder = "/usr/share/color/icc"
    let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".icc") || $0.hasSuffix(".icm") }.sorted()
    if names.isEmpty { try Missing.skip("\(folder)", isFailure: false) }
    for name in names {
      let bytes = try Array(Data(contentsOf: URL(filePath: folder + "/" + name)))
      guard let color = ICCReader.description(of: bytes) else {
        #expect(!LCMSTruth.isUsual(bytes), "\(name) is not read")
        continue
      }
      let error = try #require(try LCMSTruth.error(color, bytes), "\(name)")
      #expect(error < 1e-3, "\(name): \(color.name), off by \(error)")
    }
  }

  @Test func curvesThatHaveNoNameAreSampled() throws {
    let bytes = LCMSTruth.profile { x in x < 0.3 ? x * x : 0.09 + (x - 0.3) * 1.3 }
    let color = try #require(ICCReader.description(of: bytes))
    guard case .curves(let curves) = color.transfer else {
      Issue.record("\(color.transfer) is no sampled curve")
      return
    }
    #expect(curves.count == 3 && curves.allSatisfy { $0.count == 4096 })
    #expect(try #require(try LCMSTruth.error(color, bytes)) < 1e-4)
  }

  @Test(arguments: [1.0, 1.8, 2.2, 2.4, 2.19921875])
  func powersAreRecognized(gamma: Double) throws {
    let color = try #require(
      ICCReader.description(of: LCMSTruth.profile { pow($0, gamma) }))
    let expected: ColorDescription.Transfer =
      gamma == 1 ? .linear : .gamma((gamma * 100).rounded() / 100)
    if gamma == 2.19921875 {
      guard case .gamma(let found) = color.transfer else {
        Issue.record("no power")
        return
      }
      #expect(abs(found - gamma) < 2e-4)
    } else {
      #expect(color.transfer == expected)
    }
    #expect(color.primaries == .srgb && color.matrix == .identity)
  }

  /// A profile with only tables gives the values of lcms2, on any number of threads.
  @Test(arguments: [true, false])
  func tablesAreFollowed(isLab: Bool) throws {
    let bytes = LCMSTruth.lookupProfile(isLab: isLab)
    let color = try #require(ICCReader.description(of: bytes))
    guard case .lookup = color.transfer else {
      Issue.record("\(color.transfer) is no lookup")
      return
    }
    #expect(color == ICCReader.description(of: bytes) && color.primaries == .bt2020)
    #expect(try #require(try LCMSTruth.error(color, bytes)) < 1e-4)
    let codes = (0..<30_000).map { UInt16(truncatingIfNeeded: $0 &* 48_271) }
    let alone = try LinearizationTests.linear(codes, bits: 16, color)
    let together = try Parallel.map(count: 8, workers: 8) { _ in
      certain { try LinearizationTests.linear(codes, bits: 16, color) }
    }
    #expect(together.allSatisfy { $0 == alone })
  }

  /// The peak bounds what comes out, to which other stages map colors.
  @Test func theBrightestColorOfTablesIsTheirPeak() throws {
    for isInverted in [false, true] {
      let bytes = LCMSTruth.lookupProfile(isLab: true, isInverted: isInverted)
      let lookup = try #require(ProfileLookup(bytes))
      #expect(abs(lookup.peak - 1) < 0.01 || isInverted && lookup.peak > 0.99)
    }
  }

  /// Processing elements are followed, and a profile of more than genuine ones have is left out
  /// before lcms2 opens it.
  @Test func elementsAreFollowedWhereTheyAreFew() throws {
    for pairs in [1, 8] {
      let bytes = LCMSTruth.elementsProfile(pairs: pairs)
      let color = try #require(ICCReader.description(of: bytes))
      guard case .lookup = color.transfer else {
        Issue.record("\(color.transfer) is no lookup")
        return
      }
      #expect(try #require(try LCMSTruth.error(color, bytes)) < 1e-4)
    }
    #expect(ICCReader.description(of: LCMSTruth.elementsProfile(pairs: 9)) == nil)
  }

  @Test func grayProfilesHaveTheirCurve() throws {
    let bytes = LCMSTruth.grayProfile(gamma: 1.8)
    let color = try #require(ICCReader.description(of: bytes))
    #expect(color.transfer == .gamma(1.8) && color.matrix == .identity)
  }

  @Test func damageIsNoDescriptionOrOne() throws {
    let kinds = [
      try ColorSpace.bt2100PQ.iccProfile(), try ColorSpace.displayP3.iccProfile(),
      LCMSTruth.lookupProfile(isLab: true),
    ]
    for seed in 0..<UInt64(Damage.count(1200)) {
      let bytes = Damage.damaged(kinds[Int(seed % 3)], seed: seed)
      if let color = ICCReader.description(of: bytes) {
        _ = try LinearizationTests.linear([0, 120, 255], bits: 8, color)
      }
    }
    #expect(ICCReader.description(of: []) == nil)
    #expect(ICCReader.description(of: Array(kinds[1].prefix(140))) == nil)
  }
}
