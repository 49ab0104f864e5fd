import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct CalibrationWeightsTests {
  static func near(_ a: [Double], _ b: [Double], _ tolerance: Double = 1e-9) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < tolerance }
  }

  @Test func twoAreLinearInReciprocalTemperature() {
    func white(_ kelvin: Double) -> Chromaticity {
      CorrelatedColorTemperature(temperature: kelvin, tint: 0).chromaticity
    }
    let up = CalibrationWeights([(2850, nil), (6500, nil)])
    let down = CalibrationWeights([(6500, nil), (2850, nil)])
    let middle = 2 / (1 / 2850.0 + 1 / 6500.0)
    #expect(Self.near(up(white(middle)), [0.5, 0.5], 1e-4))
    #expect(Self.near(down(white(middle)), [0.5, 0.5], 1e-4))
    #expect(up(white(2500)) == [1, 0] && down(white(2500)) == [0, 1])
    #expect(up(white(9000)) == [0, 1])
    // Unknown or equal illuminants: one set.
    #expect(CalibrationWeights([(nil, nil), (6500, nil)])(.d50) == [0, 1])
    #expect(CalibrationWeights([(6500, nil), (nil, nil)])(.d50) == [1, 0])
    #expect(CalibrationWeights([(6500, nil), (6500, nil)])(.d50) == [1, 0])
    #expect(CalibrationWeights([(6500, nil)])(.d50) == [1])
    #expect(CalibrationWeights([(2850, nil), (6500, nil), (nil, nil)])(white(2500)) == [1, 0, 0])
  }

  @Test func threeAreWeighedByDistance() {
    let a = Chromaticity(x: 0.4476, y: 0.4074)
    let illuminants: [(Double?, Chromaticity?)] = [(2850, a), (6500, .d65), (4150, nil)]
    let weights = CalibrationWeights(illuminants)
    #expect(Self.near(weights(a), [1, 0, 0], 1e-5))
    #expect(Self.near(weights(.d65), [0, 1, 0], 1e-5))
    for kelvin in stride(from: 2000.0, to: 12000, by: 400) {
      let w = weights(CorrelatedColorTemperature(temperature: kelvin, tint: 10).chromaticity)
      #expect(abs(w.reduce(0, +) - 1) < 1e-12 && w.allSatisfy { $0 >= 0 })
    }
    // By hand: at equal distances the weights are equal.
    let ring = [-60.0, 0, 60].map { tint -> (Double?, Chromaticity?) in
      (5000, CorrelatedColorTemperature(temperature: 5000, tint: tint).chromaticity)
    }
    let even = CalibrationWeights(ring)(
      CorrelatedColorTemperature(temperature: 5000, tint: 30).chromaticity)
    #expect(abs(even[1] - even[2]) < 1e-3 && even[0] < even[1])
  }

  @Test func profilesMixThreeCalibrations() throws {
    let m = Matrix3(CameraProfileTests.canon)
    let sets = [(2850.0, 1.0), (6500, 1.1), (4150, 0.9)].map { kelvin, factor in
      CameraProfile.Calibration(
        temperature: kelvin,
        colorMatrix: Matrix3(diagonal: SIMD3(factor, 1, 1)) * m)
    }
    let profile = try #require(
      CameraProfile(calibrations: sets, asShot: .neutral(SIMD3(0.5, 1, 0.6))))
    let asShot = profile.neutral(for: profile.asShotWhite)
    #expect(abs(asShot.x - 0.5) < 1e-4 && abs(asShot.z - 0.6) < 1e-4)
    let gray = profile.cameraToBT2020(white: profile.asShotWhite) * asShot
    #expect(abs(gray.x - 1) < 1e-3 && abs(gray.z - 1) < 1e-3)
    #expect(profile.calibrationWeights(for: .d65).count == 3)
  }

  /// The three-color camera with its green twice, with and without reduction and forward matrices:
  /// the result equals the one of three channels.
  @Test func fourColorDNGsFollowTheModel() throws {
    let three = CameraProfileTests.canon
    func four(_ m: [Double]) -> [Double] { m + Array(m[3..<6]) }
    func color(
      _ planes: Int, forward: [Double] = [], reduction: [Double] = []
    ) throws -> CameraProfile {
      var dng = TinyDNG()
      let second = three.map { $0 * 1.1 }
      dng.fields = [
        50721: .fractions(planes == 3 ? three : four(three)),
        50722: .fractions(planes == 3 ? second : four(second)),
        50778: .longs([17]), 50779: .longs([21]),
        50728: .fractions(planes == 3 ? [0.5, 1, 0.6] : [0.5, 1, 0.6, 1]),
      ]
      if !forward.isEmpty { dng.fields[50964] = .fractions(forward) }
      if !reduction.isEmpty { dng.fields[50725] = .fractions(reduction) }
      let tiff = try #require(try TIFFFile(FileBytes([UInt8](dng.data))))
      let tags = { (number: UInt16) in tiff.first[number] }
      return try #require(CameraProfile(try DNGColor(profile: tags, shared: tags)))
    }
    let fm3 = [0.65, 0.23, 0.0843, 0.27, 0.72, 0.01, 0.02, 0.08, 0.7251]
    let fm4 = [
      0.65, 0.115, 0.0843, 0.115, 0.27, 0.36, 0.01, 0.36, 0.02, 0.04, 0.7251, 0.04,
    ]
    let cases: [(forward3: [Double], forward4: [Double], reduction: [Double])] = [
      ([], [], []), ([], [], [1, 0, 0, 0, 0, 0.5, 0, 0.5, 0, 0, 1, 0]), (fm3, fm4, []),
    ]
    let linear = [0.2, 0.5, 0.3]
    for (index, item) in cases.enumerated() {
      let a = try color(3, forward: item.forward3)
      let b = try color(4, forward: item.forward4, reduction: item.reduction)
      let r = b.fourColorReduction
      try #require(r.count == 12)
      let values = linear + [linear[1]]
      var reduced = SIMD3<Double>()
      for row in 0..<3 { for i in 0..<4 { reduced[row] += r[4 * row + i] * values[i] } }
      let white = a.asShotWhite
      #expect(abs(b.asShotWhite.x - white.x) < 1e-3 && abs(b.asShotWhite.y - white.y) < 1e-3)
      let x = a.cameraToBT2020(white: white) * SIMD3(linear[0], linear[1], linear[2])
      let y = b.cameraToBT2020(white: b.asShotWhite) * reduced
      for c in 0..<3 {
        #expect(abs(x[c] / x.y - y[c] / y.y) < 2e-3, "case \(index): \(x) \(y)")
      }
    }
  }
}
