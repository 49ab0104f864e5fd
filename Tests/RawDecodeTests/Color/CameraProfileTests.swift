import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct CameraProfileTests {
  static let files = [
    "dng/05_PGTM2_unsigned8.dng", "dng/14_hdr_sdr_profiles.dng", "dng/c_f32_lin_unc.dng",
    "dng/c_lin16_strip_le.dng", "dng/c_proraw_unc16.dng", "dng/f16_lin_deflate_p3.dng",
    "dng/hdr_hsm_1.dng", "dng/jxl10_lt.dng", "dng/proraw_unc16.dng",
    "dng/synth_proraw_10bit.dng", "raws/lgH815_lossy_1mp.dng",
    "raws/adobe_01_jxl_linear_raw_integer.dng", "raws/adobe_02_jxl_linear_raw_float.dng",
    "raws/adobe_12_ImageStats_WeightedAverage.dng",
  ]

  /// The profile needs no pixels, so files with undecodable storage are included.
  @Test(arguments: files) func colorsMatchTheReferenceRenderer(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let reference = try SharedFiles.reference(name)
    let tiff = try #require(try TIFFFile(FileBytes(path: path)))
    let tags = try #require(try DNGTags(tiff, path: path))
    let chosen = tags.profiles[tags.defaultProfileIndex]
    let profile = try #require(chosen.camera)
    let plain = [
      "linear_bt2020_without_huesatmap_and_looktable", "linear_bt2020_without_gain_table_map",
      "linear_bt2020",
    ].compactMap { reference[$0] as? [String: Any] }[0]
    // Probes of the camera picture are not cropped and not rotated.
    guard tags.defaultCrop == PixelRect(tags.activeArea.size), tags.orientation == .up else {
      return
    }
    let camera = (reference["stage3_camera_space"] as? [String: Any])?["pixels"] as? [[String: Any]]
    let expected = plain["pixels"] as? [[String: Any]] ?? []
    let stops = (tags.baselineExposure ?? 0) + chosen.baselineExposureOffset
    let matrix = profile.cameraToBT2020(white: profile.asShotWhite) * exp2(stops)
    var worst = 0.0
    for (from, to) in zip(try #require(camera), expected) {
      let v = numbers(from["value"])
      let result = matrix * SIMD3(v[0], v[1], v[2])
      let wanted = numbers(to["rgb"])
      let size = max(abs(wanted[0]), abs(wanted[1]), abs(wanted[2]), 0.01)
      for c in 0..<3 { worst = max(worst, abs(result[c] - wanted[c]) / size) }
    }
    print("profile", name, expected.count, "largest relative difference", worst)
    #expect(expected.count == 5)
    #expect(worst < 1e-5)
  }

  static let canon = [
    0.6257, -0.0303, -0.1, -0.788, 1.5621, 0.2396, -0.1714, 0.1904, 0.7046,
  ]

  @Test func aNeutralBecomesGrayOfOne() throws {
    let profile = try #require(CameraProfile(colorMatrix: Self.canon))
    for temperature in [2500.0, 4000, 6500, 12000] {
      let white = CorrelatedColorTemperature(temperature: temperature, tint: 5).chromaticity
      let neutral = profile.neutral(for: white)
      #expect(neutral.max() == 1)
      let gray = profile.cameraToBT2020(white: white) * neutral
      #expect(abs(gray.x - 1) < 1e-4 && abs(gray.y - 1) < 1e-4 && abs(gray.z - 1) < 1e-4)
      let balanced =
        profile.balancedToBT2020(balance: neutral, white: white) * SIMD3<Double>(1, 1, 1)
      #expect(abs(balanced.x - 1) < 1e-4 && abs(balanced.z - 1) < 1e-4)
    }
  }

  @Test func neutralAndWhiteAreInverse() throws {
    let profile = try #require(
      CameraProfile(
        calibrations: [
          .init(temperature: 2850, colorMatrix: Matrix3(Self.canon.map { $0 * 1.1 })),
          .init(temperature: 6500, colorMatrix: Matrix3(Self.canon)),
        ], asShot: .neutral(SIMD3(0.51, 1, 0.6))))
    #expect(profile.knowsAsShotWhite)
    for temperature in [2900.0, 4000, 5500, 7000] {
      let white = CorrelatedColorTemperature(temperature: temperature, tint: 0).chromaticity
      let back = profile.white(forNeutral: profile.neutral(for: white) * 3)
      #expect(abs(back.x - white.x) < 1e-5 && abs(back.y - white.y) < 1e-5)
    }
    let asShot = profile.neutral(for: profile.asShotWhite)
    #expect(abs(asShot.x - 0.51) < 1e-5 && abs(asShot.z - 0.6) < 1e-5)
  }

  @Test func analogBalanceIsTheSameAsGainsInTheData() throws {
    let gains = SIMD3(2.37, 1, 1.92)
    let matrix = Matrix3(Self.canon)
    let plain = try #require(
      CameraProfile(
        calibrations: [.init(temperature: 6500, colorMatrix: matrix)],
        asShot: .neutral(1 / gains)))
    let balanced = try #require(
      CameraProfile(
        calibrations: [.init(temperature: 6500, colorMatrix: matrix)], analogBalance: gains,
        asShot: .neutral(SIMD3(1, 1, 1))))
    #expect(abs(plain.asShotWhite.x - balanced.asShotWhite.x) < 1e-6)
    let value = SIMD3(0.1, 0.3, 0.2)
    let a = plain.cameraToBT2020(white: plain.asShotWhite) * value
    let b = balanced.cameraToBT2020(white: balanced.asShotWhite) * (value * gains)
    #expect(abs(a.x - b.x) < 1e-6 && abs(a.y - b.y) < 1e-6 && abs(a.z - b.z) < 1e-6)
  }

  @Test func fourColorCamerasReachGrayToo() throws {
    // The three-color camera with its green twice is a four-color camera of the same colors.
    let four = Self.canon + Array(Self.canon[3..<6])
    let neutral = [0.5, 1, 0.6, 1.0]
    let profile = try #require(
      CameraProfile(matrix: four, colors: 4, gains: neutral.map { 1 / $0 }, isBalanced: false))
    let reduction = profile.fourColorReduction
    #expect(reduction.count == 12)
    let reduced = SIMD3<Double>(
      (0..<4).reduce(0) { $0 + reduction[$1] * neutral[$1] },
      (0..<4).reduce(0) { $0 + reduction[4 + $1] * neutral[$1] },
      (0..<4).reduce(0) { $0 + reduction[8 + $1] * neutral[$1] })
    let rgb = profile.cameraToBT2020(white: profile.asShotWhite) * reduced
    #expect(abs(rgb.x / rgb.y - 1) < 1e-3 && abs(rgb.z / rgb.y - 1) < 1e-3)
  }

  @Test func uselessMatricesAreRefused() {
    #expect(CameraProfile(colorMatrix: [1, 2, 3]) == nil)
    #expect(CameraProfile(colorMatrix: Array(repeating: 0, count: 9)) == nil)
    #expect(CameraProfile(colorMatrix: Array(repeating: .nan, count: 9)) == nil)
    #expect(CameraProfile(calibrations: [], asShot: .unknown) == nil)
  }
}
