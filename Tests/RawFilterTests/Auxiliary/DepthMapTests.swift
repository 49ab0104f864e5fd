import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct DepthMapTests {
  private func map(_ fields: [UInt16: TIFFValue]) throws -> DepthMap {
    var dng = AuxiliaryDNG()
    dng.fields = fields
    dng.directories = [
      .plain(
        PixelSize(width: 3, height: 1), bits: 16, subfile: 8, photometric: 51177,
        [0, 0, 0xFF, 0x7F, 0xFF, 0xFF])
    ]
    return try #require(try dng.filter().depthMap)
  }

  private func fields(
    format: UInt16, near: Rational, far: Rational, units: UInt16 = 1
  ) -> [UInt16: TIFFValue] {
    [
      51177: .shorts([format]), 51178: .rationals([near]), 51179: .rationals([far]),
      51180: .shorts([units]), 51181: .shorts([2]),
    ]
  }

  @Test func linearDistances() throws {
    let map = try map(fields(format: 1, near: Rational(1, 2), far: Rational(9, 2)))
    #expect(map.format == .linear && map.units == .meters && map.measure == .opticalRay)
    #expect(map.near == 0.5 && map.far == 4.5)
    #expect(try map.image().samples == [0, Float(0x7FFF) / 65535, 1])
    #expect(map.meters(0) == 0.5 && map.meters(1) == 4.5 && map.meters(0.5) == 2.5)
    #expect(map.meters(-3) == 0.5 && map.meters(7) == 4.5)
  }

  @Test func inverseDistances() throws {
    let map = try map(fields(format: 2, near: Rational(1, 1), far: Rational(4, 1)))
    #expect(map.meters(0) == 1 && map.meters(1) == 4)
    // 1/z halfway between 1 and 1/4.
    #expect(map.meters(0.5).map { abs($0 - 1.6) < 1e-12 } == true)
    let open = try self.map(fields(format: 2, near: Rational(2, 1), far: Rational(1, 0)))
    #expect(open.far == .infinity)
    #expect(open.meters(0) == 2 && open.meters(0.5) == 4 && open.meters(1) == .infinity)
  }

  @Test func unknownStaysUnknown() throws {
    let bare = try map([:])
    #expect(bare.format == .unknown && bare.units == .unknown && bare.measure == .unknown)
    #expect(bare.near == nil && bare.far == nil && bare.meters(0.5) == nil)
    let nought = try map(fields(format: 1, near: Rational(0, 0), far: Rational(1, 0)))
    #expect(nought.near == nil && nought.meters(0.5) == nil)
    let unitless = try map(fields(format: 1, near: Rational(1, 1), far: Rational(2, 1), units: 0))
    #expect(unitless.meters(0.5) == nil)
    let strange = try map(fields(format: 77, near: Rational(1, 1), far: Rational(2, 1), units: 99))
    #expect(strange.format == .unknown && strange.units == .unknown)
  }
}
