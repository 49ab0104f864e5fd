import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Grids of means against the reference renderer's linear variant, which clips nothing.
@Suite struct ProfileColorReferenceTests {
  static let linear = [
    "dng/05_PGTM2_unsigned8.dng", "dng/07_PGTM2_float16.dng", "dng/08_PGTM2_float32.dng",
    "dng/09_ImageSequenceInfo_1_of_3.dng", "dng/14_hdr_sdr_profiles.dng", "dng/c_f32_lin_unc.dng",
    "dng/c_lin16_strip_le.dng", "dng/c_proraw_unc16.dng", "dng/f16_lin_deflate_p3.dng",
    "dng/f32_lin_deflate_p1.dng", "dng/f32_lin_unc.dng", "dng/hdr_hsm_1.dng", "dng/hdr_look_4.dng",
    "dng/jxl10_lt.dng", "dng/jxl_lin16_strip_le.dng", "dng/jxl_proraw_unc16.dng",
    "dng/lin16_strip_be.dng", "dng/lin16_tile_le.dng", "dng/proraw_unc16.dng",
    "dng/synth_proraw_10bit.dng", "raws/lgH815_lossy_1mp.dng",
  ]

  /// The picture as recorded: linear, highlights untouched.
  static func filter(_ name: String) throws -> RAWFilter {
    var filter = try RAWFilter(url: SharedFiles.url(name))
    filter.boostAmount = 0
    filter.isHighlightRecoveryEnabled = false
    _ = try filter.scenePipeline()
    return filter
  }

  /// Means of the 8 × 6 cells, or of those of one row of them, in the reference's own rounding of
  /// BT.2020.
  static func grid(_ scene: any PixelSource<SceneLinear>, rows: Range<Int> = 0..<6) throws
    -> [[[Double]]]
  {
    let size = scene.size
    let buffer = try PlanarBuffer(size: PixelSize(width: size.width, height: 1))
    return try rows.map { j in
      var sums = [SIMD3<Double>](repeating: SIMD3(), count: 8)
      let (top, bottom) = (j * size.height / 6, (j + 1) * size.height / 6)
      for y in top..<bottom {
        try scene.read(PixelRect(x: 0, y: y, width: size.width, height: 1), into: buffer)
        for i in 0..<8 {
          var sum = SIMD3<Float>()
          for x in (i * size.width / 8)..<((i + 1) * size.width / 8) {
            sum += SIMD3(buffer.row(0, 0)[x], buffer.row(1, 0)[x], buffer.row(2, 0)[x])
          }
          sums[i] += SIMD3<Double>(sum)
        }
      }
      return (0..<8).map { i in
        let columns = (i + 1) * size.width / 8 - i * size.width / 8
        let mean = sums[i] / Double(columns * (bottom - top))
        return [mean.x, mean.y, mean.z]
      }
    }
  }

  /// Largest difference, as a multiple of what is allowed: `relative` of the value or `absolute`.
  static func worst(
    _ grid: [[[Double]]], _ reference: Any?, rows: Range<Int> = 0..<6,
    columns: Range<Int> = 0..<8, relative: Double, absolute: Double
  ) throws -> Double {
    let cells = try #require((reference as? [String: Any])?["grid"] as? [[[Any]]])
    var worst = 0.0
    for (line, expected) in zip(grid, cells[rows]) {
      for (cell, wanted) in zip(line[columns], expected[columns]) {
        for (a, b) in zip(cell, numbers(wanted)) {
          worst = max(worst, abs(a - b) / max(relative * abs(b), absolute))
        }
      }
    }
    return worst
  }

  @Test(arguments: linear) func linearFilesMatch(_ name: String) throws {
    var filter = try Self.filter(name)
    let reference = try SharedFiles.reference(name)
    func compare(_ key: String) throws {
      guard let wanted = reference[key] else { return }
      let scene = OrientedSource(try filter.scenePipeline(), filter.orientation)
      let worst = try Self.worst(Self.grid(scene), wanted, relative: 1e-3, absolute: 5e-5)
      print("grid", name, key, "fraction of the tolerance", worst)
      #expect(worst < 1, "\(name) \(key)")
    }
    try compare("linear_bt2020")
    filter.localToneMapAmount = 0
    try compare("linear_bt2020_without_gain_table_map")
  }

  @Test func profileVariantsMatch() throws {
    let name = "dng/14_hdr_sdr_profiles.dng"
    var filter = try Self.filter(name)
    #expect(filter.profiles.map(\.name) == ["SDR", "HDR Linear", "HDR Tone Map", "HDR Tint"])
    #expect(filter.profiles.map(\.isHighRange) == [false, true, true, true])
    let variants = try SharedFiles.reference(name)["profiles"] as? [String: [String: Any]] ?? [:]
    #expect(variants.count == 4)
    for (profile, values) in variants {
      filter.profileName = profile
      let scene = try filter.scenePipeline()
      let worst = try Self.worst(
        Self.grid(scene), values["scene_linear BT.2020"], relative: 1e-3, absolute: 5e-5)
      print("grid", name, profile, "fraction of the tolerance", worst)
      #expect(worst < 1, "\(profile)")
    }
    filter.profileName = "HDR"
    let error = #expect(throws: RAWError.self) { _ = try filter.scenePipeline() }
    #expect(error?.code == .badSetting && error?.message.contains("\"HDR Tint\"") == true)
  }

  static let mosaics = [
    "dng/c_cfa16_strip_le.dng", "dng/cfa16_mstrip.dng", "dng/cfa16_strip_le.dng",
    "dng/cfa16_tile_be.dng", "dng/cfa_levels.dng", "dng/jxl_cfa_levels.dng",
    "dng/jxlm_cfa16_strip_le.dng",
  ]

  /// The reference demosaics bilinearly, which moves means at the hard edges of patches by up to 4
  /// %. Patches are in the middle rows of cells: the others, and the mean of all, are compared.
  @Test(arguments: mosaics) func mosaicsMatch(_ name: String) throws {
    let filter = try Self.filter(name)
    let wanted = try #require(SharedFiles.reference(name)["linear_bt2020"] as? [String: Any])
    let means = numbers(wanted["mean"])
    let allowed = 5e-3 * means.reduce(0, +) / 3
    let grid = try Self.grid(try filter.scenePipeline())
    var worst = 0.0
    for rows in [0..<1, 5..<6] {
      worst = max(
        worst,
        try Self.worst(
          Array(grid[rows]), wanted, rows: rows, relative: 0, absolute: allowed))
    }
    for c in 0..<3 {
      let mean = grid.joined().reduce(0) { $0 + $1[c] } / 48
      worst = max(worst, abs(mean - means[c]) / allowed)
    }
    print("grid", name, "fraction of the tolerance", worst)
    #expect(worst < 1, "\(name)")
  }

  /// Files with real hue, saturation and look tables. The reference has used the over-range form of
  /// tables with several value divisions for them, which DNG keeps for HDR profiles.
  @Test(arguments: [
    "raws/adobe_12_ImageStats_WeightedAverage.dng", "raws/adobe_01_jxl_linear_raw_integer.dng",
    "raws/adobe_02_jxl_linear_raw_float.dng",
  ]) func tablesOfRealProfilesMatch(_ name: String) throws {
    var filter = try Self.filter(name)
    let reference = try SharedFiles.reference(name)
    // What a transparency mask hides at the borders is white in the reference.
    let columns = name.contains("_02_") ? 1..<7 : 0..<8
    for (tables, key) in [
      (ProfileTables.highRange, "linear_bt2020"),
      (.without, "linear_bt2020_without_huesatmap_and_looktable"),
    ] {
      filter.profileTables = tables
      let scene = try filter.scenePipeline()
      #expect((scene.profileColor != nil) == (tables != .without))
      let worst = try Self.worst(
        Self.grid(scene, rows: 2..<3), reference[key], rows: 2..<3, columns: columns,
        relative: 1e-3, absolute: 5e-5)
      print("grid", name, key, "fraction of the tolerance", worst)
      #expect(worst < 1)
    }
  }
}
