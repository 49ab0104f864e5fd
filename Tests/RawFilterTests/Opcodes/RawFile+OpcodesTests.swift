import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Stored samples behind opcode lists 1 and 2, against the reference renderer.
@Suite struct RawFileOpcodesTests {
  static let mosaics = [
    "dng/c_cfa16_strip_le.dng", "dng/cfa16_mstrip.dng", "dng/cfa16_strip_le.dng",
    "dng/cfa16_tile_be.dng", "dng/cfa_levels.dng", "raws/bmpcc_coffee.dng",
    "raws/canonKissX4_colorchart.dng", "raws/derived_gopro_Fusion_GPFR7066.dng",
    "raws/derived_hdrmerge_float16.dng", "dng/jxl_cfa_levels.dng", "dng/jxlm_cfa16_strip_le.dng",
  ]
  static let linear = [
    "dng/05_PGTM2_unsigned8.dng", "dng/14_hdr_sdr_profiles.dng", "dng/c_lin16_strip_le.dng",
    "dng/c_proraw_unc16.dng", "dng/f32_lin_unc.dng", "dng/hdr_hsm_1.dng", "dng/hdr_look_4.dng",
    "dng/lin16_strip_be.dng", "dng/lin16_tile_le.dng", "dng/lossy_lintable.dng",
    "dng/lossy_mappoly.dng", "dng/proraw_unc16.dng", "dng/synth_proraw_10bit.dng",
    "dng/c_f32_lin_unc.dng", "dng/f16_lin_deflate_p3.dng", "dng/f32_lin_deflate_p1.dng",
    "dng/jxl10_lt.dng", "dng/jxl_lin16_strip_le.dng", "dng/jxl_proraw_unc16.dng",
    "dng/proxy_cfa.dng", "raws/lgH815_lossy_1mp.dng",
    "raws/adobe_12_ImageStats_WeightedAverage.dng",
  ]

  @Test(arguments: mosaics) func mosaicMatchesTheReferenceRenderer(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let reference = try SharedFiles.reference(name)
    let stage = reference["stage2_mosaic"] as? [String: Any] ?? [:]
    let file = try RawFile.open(path: path)
    let data = try file.sensorData()
    #expect(Double(data.size.width) == number(stage["width"]))
    #expect(Double(data.size.height) == number(stage["height"]))
    let pixels = stage["pixels"] as? [[String: Any]] ?? []
    #expect(pixels.count >= 5)
    var worst = 0.0
    for pixel in pixels {
      let (y, x) = (Int(number(pixel["row"])), Int(number(pixel["col"])))
      let value = Double(data.linear(row: y)[x])
      worst = max(worst, abs(value - number(pixel["value"])))
      guard case .mosaic(let cfa) = data.layout else {
        Issue.record("no mosaic")
        return
      }
      let color = (pixel["colour"] as? String ?? "").prefix(1)
      #expect(["R", "G", "B"][cfa.channel(x: x, y: y)] == String(color))
    }
    print("stage 2", name, "largest difference", worst)
    #expect(worst <= 1e-6)
  }

  @Test(arguments: linear) func linearMatchesTheReferenceRenderer(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let reference = try SharedFiles.reference(name)
    let stage = reference["stage3_camera_space"] as? [String: Any] ?? [:]
    let file = try RawFile.open(path: path)
    let data = try file.sensorData()
    #expect(Double(data.size.width) == number(stage["width"]))
    #expect(Double(data.size.height) == number(stage["height"]))
    var worst = 0.0
    let pixels = stage["pixels"] as? [[String: Any]] ?? []
    for pixel in pixels {
      let (y, x) = (Int(number(pixel["y"])), Int(number(pixel["x"])))
      let values = data.linear(row: y)
      for (c, expected) in numbers(pixel["value"]).enumerated() {
        worst = max(worst, abs(Double(values[3 * x + c]) - expected))
      }
    }
    var sum = SIMD3<Double>()
    for y in 0..<data.size.height {
      let values = data.linear(row: y)
      for x in 0..<data.size.width {
        sum += SIMD3(Double(values[3 * x]), Double(values[3 * x + 1]), Double(values[3 * x + 2]))
      }
    }
    let mean = sum / Double(data.size.area)
    let expected = numbers(stage["mean"])
    let off = (0..<3).map { abs(mean[$0] / expected[$0] - 1) }.max() ?? 1
    print("stage 3", name, "pixels", pixels.count, "largest difference", worst, "mean off by", off)
    // Lossy samples may differ by one 8-bit code between JPEG decoders.
    let isLossy = name.contains("lossy") || name.contains("adobe_12")
    // libjxl decodes lossy pictures to a last bit of 16 that depends on the processor's
    // instructions.
    let isLossyJPEGXL = name.contains("proxy_cfa")
    #expect(worst <= (isLossy ? 0.02 : isLossyJPEGXL ? 1.1 / 65535 : 2e-6))
    #expect(off < (isLossy ? 1e-3 : 1e-5))
  }

  /// Pictures of 30 and 60 MP, of which single pixels are looked at.
  @Test(arguments: [
    "raws/adobe_01_jxl_linear_raw_integer.dng", "raws/adobe_02_jxl_linear_raw_float.dng",
  ])
  func largePicturesMatchTheReferenceRenderer(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let reference = try SharedFiles.reference(name)
    let stage = reference["stage3_camera_space"] as? [String: Any] ?? [:]
    let data = try RawFile.open(path: path).sensorData()
    #expect(Double(data.size.width) == number(stage["width"]))
    #expect(Double(data.size.height) == number(stage["height"]))
    let pixels = stage["pixels"] as? [[String: Any]] ?? []
    #expect(pixels.count >= 5)
    for pixel in pixels {
      let (y, x) = (Int(number(pixel["y"])), Int(number(pixel["x"])))
      let values = data.linear(row: y)
      for (c, expected) in numbers(pixel["value"]).enumerated() {
        #expect(abs(Double(values[3 * x + c]) - expected) <= 2e-6)
      }
    }
  }
}
