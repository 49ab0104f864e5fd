import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Files of other writers: their stages behind opcode lists 2 and 3 are those of the reference
/// renderer.
@Suite struct OpcodeFilesTests {
  private func filter(_ name: String) throws -> RAWFilter {
    try RAWFilter(url: SharedFiles.url(name))
  }

  /// Lossy JPEG decoded as in the reference renderer, to the bit of 8.
  @Test(arguments: [
    "dng/lossy_mappoly.dng", "raws/lgH815_lossy_1mp.dng",
    "raws/adobe_12_ImageStats_WeightedAverage.dng",
  ])
  func linearFiles(_ name: String) throws {
    let filter = try filter(name)
    let stage = try SharedFiles.reference(name)["stage3_camera_space"] as? [String: Any] ?? [:]
    let data = try filter.stage2()
    // Curves in the levels, no picture of floats.
    #expect(data.samples.format == .uint16 && data.levels.curves.count == 3)
    let source = try filter.stage3()
    #expect(Double(source.size.width) == number(stage["width"]))
    #expect(Double(source.size.height) == number(stage["height"]))
    let pixels = stage["pixels"] as? [[String: Any]] ?? []
    #expect(pixels.count >= 5)
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    var worst = 0.0
    for pixel in pixels {
      let (x, y) = (Int(number(pixel["x"])), Int(number(pixel["y"])))
      try source.read(PixelRect(x: x, y: y, width: 1, height: 1), into: buffer)
      let row = data.linear(row: y)
      for (c, expected) in numbers(pixel["value"]).enumerated() {
        #expect(row[3 * x + c] == buffer.row(c, 0)[0])
        worst = max(worst, abs(Double(row[3 * x + c]) - expected))
      }
    }
    print("stage 3", name, "largest difference", worst)
    #expect(worst <= 1e-5)
  }

  /// A GPR corrects the shading of its lens, each position of the mosaic by a map of its own.
  @Test func gainMapsOfGPR() throws {
    let path = try SharedFiles.path("raws/gopro_hero7_colorchecker.GPR")
    let file = try RawFile.open(path: path)
    let maps = [String](repeating: "GainMap", count: 4)
    #expect(file.info.opcodes.names == [[], maps, []])
    let (plain, corrected) = (try file.decode(), try file.sensorData())
    let list = try #require(file.tags?.opcodeLists[1])
    for map in 0..<4 {
      let start = 4 + map * (list.count - 4) / 4
      func word(_ i: Int) -> UInt32 {
        list[start + i..<start + i + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      // Top and left of its positions, and its gain in the upper left corner.
      let (y, x, gain) = (Int(word(16)), Int(word(20)), Float(bitPattern: word(92)))
      let value = Float(plain.samples.counts(row: y)[x]) / 16383
      #expect(abs(corrected.linear(row: y)[x] / value / gain - 1) < 0.01)
      #expect(gain > 1.5)
    }
  }

  @Test func warpedMosaic() throws {
    let name = "raws/derived_gopro_Fusion_GPFR7066.dng"
    var filter = try filter(name)
    #expect(filter.isLensCorrectionSupported)
    #expect(filter.supportedAdjustments.contains("isLensCorrectionEnabled"))
    #expect(filter.picture.file.info.opcodes.names == [[], [], ["WarpRectilinear"]])
    #expect(!filter.warnings.contains { $0.contains("Warp") })
    let stage = try SharedFiles.reference(name)["stage3_camera_space"] as? [String: Any] ?? [:]
    let source = try filter.stage3()
    // A strip through the middle, where red and blue move by up to a pixel and green stays.
    let strip = PixelRect(x: 0, y: 1480, width: source.size.width, height: 40)
    let (warped, plain) = (try PlanarBuffer(size: strip.size), try PlanarBuffer(size: strip.size))
    try source.read(strip, into: warped)
    filter.isLensCorrectionEnabled = false
    try filter.stage3().read(strip, into: plain)
    #expect(source.size.width == Int(number(stage["width"])))
    var moved = 0
    for y in 0..<strip.height {
      for x in 0..<strip.width {
        #expect(warped.row(1, y)[x] == plain.row(1, y)[x])
        if warped.row(0, y)[x] != plain.row(0, y)[x] { moved += 1 }
      }
    }
    #expect(moved > strip.size.area / 2)
  }
}
