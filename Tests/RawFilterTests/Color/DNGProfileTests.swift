import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct DNGProfileTests {
  /// A DNG with a primary profile and two others of one group, those in the other byte order.
  static func grouped(bigEndian: Bool) -> TinyDNG {
    var dng = TinyDNG(bigEndian: bigEndian)
    dng.fields = [
      50936: .text("Base"), 50730: .fractions([1.5]), 51109: .fractions([-0.5]),
      52544: TinyDNG.gainTableMap(
        kind: 3, stored: [Float](repeating: 2, count: 8).map(\.bitPattern)),
      50940: .floats([0, 0, 0.5, 0.7, 1, 1]),
    ]
    func profile(_ name: String, _ more: [UInt16: TinyDNG.Value]) -> [UInt16: TinyDNG.Value] {
      [
        50721: TinyDNG.colors[50721] ?? .longs([]), 50778: .longs([21]), 50936: .text(name),
        52552: .text("Pair"),
      ].merging(more) { $1 }
    }
    let high = TinyDNG.Value.undefined { big in
      TinyDNG.number(UInt16(1), big) + TinyDNG.number(UInt16(1), big)
        + TinyDNG.number(Float(8).bitPattern, big)
    }
    dng.profiles = [
      (!bigEndian, profile("Plain", [51110: .longs([1]), 51109: .fractions([0.25])])),
      (
        !bigEndian,
        profile(
          "Bright",
          [
            52551: high,
            52544: TinyDNG.gainTableMap(
              kind: 3, stored: [Float](repeating: 3, count: 8).map(\.bitPattern)),
          ])
      ),
    ]
    return dng
  }

  @Test(arguments: [false, true]) func profilesOfBothByteOrdersAreRead(_ bigEndian: Bool) throws {
    var dng = Self.grouped(bigEndian: bigEndian)
    var filter = try RAWFilter(data: dng.data)
    #expect(filter.profiles.map(\.name) == ["Base", "Plain", "Bright"])
    #expect(filter.profiles.map(\.group) == ["", "Pair", "Pair"])
    #expect(filter.profiles.map(\.isHighRange) == [false, false, true])
    #expect(filter.profiles[2].peak == 8)
    #expect(filter.profiles[0].toneCurvePoints == 3 && filter.profiles[1].toneCurvePoints == 0)
    #expect(filter.baselineExposure == 1)
    #expect(filter.activeProfile?.rendersBlack == true)
    #expect(filter.supportedAdjustments.contains("profileName"))
    // A profile without gain table map has the file's, one with has its own.
    #expect(filter.activeProfile?.gainTableMap?.gains.first == 2)
    filter.profileName = "Plain"
    #expect(filter.activeProfile?.gainTableMap?.gains.first == 2)
    #expect(filter.activeProfile?.rendersBlack == false)
    #expect(filter.baselineExposure == 1.75)
    filter.profileName = "Bright"
    #expect(filter.activeProfile?.gainTableMap?.gains.first == 3)
    // The camera's choice.
    dng.fields[50934] = .text("Bright")
    #expect(try RAWFilter(data: dng.data).activeProfile?.name == "Bright")
    dng.fields[50934] = .text("Unknown")
    #expect(try RAWFilter(data: dng.data).activeProfile?.name == "Base")
    filter.profileName = "Missing"
    let error = #expect(throws: RAWError.self) { _ = try filter.outputImage() }
    #expect(error?.code == .badSetting)
    #expect(error?.message.contains("\"Plain\"") == true)
  }

  @Test func damagedProfilesAreErrors() throws {
    var dng = TinyDNG()
    dng.fields[50933] = .longs([12])
    #expect(throws: RAWError.self) { _ = try RAWFilter(data: dng.data) }
    dng.fields[50933] = .longs([1 << 30])
    let error = #expect(throws: RAWError.self) { _ = try RAWFilter(data: dng.data) }
    #expect(error?.code == .damaged && error?.message.contains("ExtraCameraProfiles") == true)
    dng = TinyDNG()
    dng.fields[52551] = .undefined { _ in [1, 0, 9, 0, 0, 0, 0, 0] }
    #expect(throws: RAWError.self) { _ = try RAWFilter(data: dng.data) }
  }

  /// What is damaged of a look is left out, with a note: the raw has its colors without it.
  @Test func damagedLooksAreLeftOut() throws {
    for curve: [Float] in [[0, 0, 1], [0, 0], [0, 0, .nan, 1], [1, 1, 0, 0], [0, 0, 0, 1]] {
      var dng = TinyDNG()
      dng.fields[50940] = .floats(curve)
      let filter = try RAWFilter(data: dng.data)
      #expect(filter.profiles.first?.toneCurvePoints == 0)
      #expect(filter.file.info.warnings.contains { $0.contains("its ProfileToneCurve") })
    }
    var dng = TinyDNG()
    dng.fields[50937] = .longs([9, 9, 1])
    dng.fields[50938] = .floats([0, 1, 1])
    let filter = try RAWFilter(data: dng.data)
    #expect(filter.activeProfile?.hueSatMaps.allSatisfy { $0 == nil } == true)
    #expect(
      filter.file.info.warnings.contains(
        "its ProfileHueSatMapData does not match its dimensions and was ignored"))
    // Of another profile all of it.
    dng = TinyDNG()
    dng.profiles = [
      (false, TinyDNG.colors.merging([50936: .text("x"), 50940: .floats([1, 1, 0, 0])]) { $1 })
    ]
    let other = try RAWFilter(data: dng.data)
    #expect(other.profiles.count == 1)
    #expect(other.file.info.warnings.contains { $0.contains("extra camera profiles") })
  }

  @Test func lightsAreChromaticitiesOrSpectra() throws {
    func data(_ numbers: [UInt32], kind: UInt16) -> TinyDNG.Value {
      .undefined { big in
        TinyDNG.number(kind, big) + numbers.flatMap { TinyDNG.number($0, big) }
      }
    }
    func temperature(_ value: TinyDNG.Value) throws -> Double? {
      var dng = TinyDNG(bigEndian: true)
      dng.fields = [50778: .longs([255]), 52533: value]
      let tiff = try #require(try TIFFFile(FileBytes([UInt8](dng.data))))
      return try DNGColor(profile: { tiff.first[$0] }, shared: { tiff.first[$0] })
        .calibrations.first?.temperature
    }
    let d65 = try #require(try temperature(data([3127, 10000, 3290, 10000], kind: 0)))
    #expect(abs(d65 - 6504) < 15)
    // Equal energy from 380 to 780 nm has x = y = 1/3, about 5455 K.
    let flat: [UInt32] = [41, 380, 1, 10, 1] + (0..<41).flatMap { _ in [UInt32(7), 2] }
    let equal = try #require(try temperature(data(flat, kind: 1)))
    #expect(abs(equal - 5455) < 15, "\(equal)")
    // A Planckian radiator of 2856 K is illuminant A.
    let a = try #require(
      DNGIlluminant.chromaticity(
        stride(from: 380.0, through: 780, by: 5).map { nm in
          pow(560 / nm, 5) * (exp(14388 / (2856 * 0.56)) - 1) / (exp(14388 / (2.856 * nm)) - 1)
        }, start: 380, step: 5))
    #expect(abs(a.x - 0.4476) < 5e-4 && abs(a.y - 0.4074) < 5e-4, "\(a)")
    for bad in [data([1, 2], kind: 0), data([1, 0, 1, 2], kind: 0), data([2, 1, 1, 1], kind: 1)] {
      let error = #expect(throws: TagFault.self) { _ = try temperature(bad) }
      #expect(error?.tag == "IlluminantData1")
    }
  }

  @Test func userCropActsWithinTheDefaultCrop() throws {
    func crop(_ edges: [Double]) throws -> PixelRect {
      var dng = TinyDNG(width: 40, height: 30)
      dng.pixel = { _, _ in [1000, 1000, 1000] }
      dng.fields = [
        50719: .longs([4, 2]), 50720: .longs([32, 20]), 51125: .fractions(edges),
      ]
      return try RAWFilter(data: dng.data).picture.file.info.crop
    }
    #expect(try crop([0.25, 0.5, 0.75, 1]) == PixelRect(x: 20, y: 7, width: 16, height: 10))
    let whole = PixelRect(x: 4, y: 2, width: 32, height: 20)
    for bad in [[0, 0, 1, 1], [0.5, 0, 0.5, 1], [-0.1, 0, 1, 1], [0, 0, 1, 1.2], [0, 0, 1]] {
      #expect(try crop(bad) == whole)
    }
    #expect(try crop([0.99, 0.99, 1, 1]).size == PixelSize(width: 1, height: 1))
  }
}
