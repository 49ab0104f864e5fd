import Containers
import ImageCore
import Testing

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

  /// Without a profile that can be read, the container's code points count, then those of the data,
  /// then sRGB, and the note says why.
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
