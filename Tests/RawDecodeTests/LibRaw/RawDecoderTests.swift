import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode

@Suite struct RawDecoderTests {
  @Test(arguments: ["raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2"])
  func cameraRawMatchesTheOtherReader(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let reference = try SharedFiles.reference(name)
    let mosaic = reference["mosaic"] as? [String: Any] ?? [:]
    let file = try RawFile.open(path: path)
    let data = try file.decode()
    #expect(Double(data.size.width) == number(mosaic["width"]))
    #expect(Double(data.size.height) == number(mosaic["height"]))
    for pixel in mosaic["pixels"] as? [[String: Any]] ?? [] {
      let (y, x) = (Int(number(pixel["row"])), Int(number(pixel["col"])))
      #expect(Double(data.samples.counts(row: y)[x]) == number(pixel["raw"]))
    }
    let letters = (reference["cfa_pattern"] as? [String: Any])?["letters"] as? [String] ?? []
    guard case .mosaic(let cfa) = data.layout else {
      Issue.record("no mosaic")
      return
    }
    #expect(cfa.kind == .bayer)
    for (y, line) in letters.enumerated() {
      for (x, letter) in line.enumerated() {
        #expect(["R", "G", "B"][cfa.channel(x: x, y: y)] == String(letter))
      }
    }
    let black = numbers(reference["black_level_per_channel"])
    #expect(data.levels.black.allSatisfy { black.contains(Double($0)) })
    let white = number(reference["white_level"])
    #expect(abs(1 / Double(data.levels.scale[0]) + (black.max() ?? 0) - white) < 0.01)
    let flip = number((reference["sizes"] as? [String: Any])?["flip"])
    #expect(file.info.orientation == (flip == 6 ? .right : .up))
  }

  /// Half-size development of both readers: each 2 × 2 block one pixel. With LibRaw's own color
  /// model (white adapted in camera values) the means agree; the DNG model adapts by Bradford and
  /// is within two percent of it.
  @Test(arguments: ["raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2"])
  func developmentAgreesWithTheOtherReader(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let development = try SharedFiles.reference(name)["development"] as? [String: Any] ?? [:]
    let file = try RawFile.open(path: path)
    let data = try file.decode()
    let profile = try #require(file.info.profile)
    guard case .mosaic(let cfa) = data.layout else {
      Issue.record("no mosaic")
      return
    }
    let neutral = profile.neutral(for: profile.asShotWhite)
    let matrix =
      profile.cameraToBT2020(white: profile.asShotWhite) * neutral.min()
    let cameraXYZ = (try SharedFiles.reference(name)["cam_xyz"] as? [[Any]] ?? []).prefix(3)
    let fromRGB = Matrix3(cameraXYZ.flatMap { numbers($0) }) * Primaries.srgb.toXYZ
    let rows = fromRGB.rows.map { $0 / $0.sum() }
    let toRGB = try #require(Matrix3(rows[0], rows[1], rows[2]).inverse)
    let libRaw =
      Primaries.srgb.conversion(to: .bt2020) * toRGB
      * Matrix3(diagonal: neutral.min() / neutral)
    var sums = [SIMD3<Double>(), SIMD3<Double>()]
    for y in stride(from: 0, to: data.size.height - 1, by: 2) {
      let lines = [data.linear(row: y), data.linear(row: y + 1)]
      for x in stride(from: 0, to: data.size.width - 1, by: 2) {
        var camera = SIMD3<Double>()
        for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
          let c = cfa.channel(x: dx, y: dy)
          camera[c] += Double(lines[dy][x + dx]) * (c == 1 ? 0.5 : 1)
        }
        for (index, matrix) in [libRaw, matrix].enumerated() {
          sums[index] += (matrix * camera).clamped(
            lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
        }
      }
    }
    let expected = numbers(development["mean"])
    for (sum, tolerance) in zip(sums, [0.003, 0.02]) {
      let mean = sum / Double((data.size.width / 2) * (data.size.height / 2))
      print("development", name, mean, expected)
      for c in 0..<3 { #expect(abs(mean[c] / expected[c] - 1) < tolerance) }
    }
  }
}
