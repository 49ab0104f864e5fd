import ImageCore
import Testing

@testable import Containers
@testable import Readers

@Suite struct HEIFColorTests {
  /// The first that can be read counts; those behind the fourth are not tried, as each may be as
  /// long as the tables.
  @Test func profilesWithoutNumber() {
    func color(behind broken: Int) -> ColorDescription {
      let none = HEIFProperty.profile([UInt8](repeating: 7, count: 200))
      let good = HEIFProperty.profile(LCMSTruth.grayProfile(gamma: 1.8))
      let properties = [HEIFProperty](repeating: none, count: broken) + [good]
      return HEIFColor.description(properties, nil).color
    }
    for broken in 0..<4 {
      #expect(color(behind: broken).transfer == .gamma(1.8))
    }
    for broken in [4, 250_000] {
      #expect(color(behind: broken).origin == .assumed)
    }
  }

  /// 8-bit stills with a curve of video are read as sRGB, as phones mean them; no others are.
  @Test(arguments: [UInt16(1), 6, 14, 15])
  func curvesOfVideoInStillsOfEightBits(transfer: UInt16) throws {
    let points = HEIFProperty.CodePoints(
      primaries: 1, transfer: transfer, matrix: 6, isFullRange: true)
    func color(bits: Int, _ properties: [HEIFProperty]) -> ColorDescription {
      let size = PixelSize(width: 64, height: 64)
      let still = CodedStill(
        codec: .hevc, size: size, codedSize: size, bits: bits, isGray: false, codePoints: points,
        isFullRange: true)
      return HEIFColor.description(properties, still).color
    }
    for properties in [[HEIFProperty.codePoints(points)], []] {
      let found = color(bits: 8, properties)
      #expect(found.transfer == .srgb && found.codePoints == [1, transfer, 6])
      #expect(found.name.contains("read as sRGB"))
      #expect(color(bits: 10, properties).transfer == .bt709)
    }
  }

  /// Without a readable profile, the container's code points are used, then the coded data's, then
  /// sRGB, and a note says why.
  @Test func profilesThatCannotBeReadAreNoted() throws {
    let none = HEIFProperty.profile([UInt8](repeating: 7, count: 200))
    let points = HEIFProperty.codePoints(
      .init(primaries: 12, transfer: 13, matrix: 6, isFullRange: true))
    let named = HEIFColor.description([none, points], nil)
    #expect(named.color.primaries == .displayP3 && named.note == ICCReader.damagedNote)
    let assumed = HEIFColor.description([none], nil)
    #expect(assumed.color.origin == .assumed && assumed.note == ICCReader.damagedNote)
    #expect(HEIFColor.description([points], nil).note == nil)
  }
}
