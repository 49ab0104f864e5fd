import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import SyntheticRaw

@Suite struct RawDecoderTests {
  /// Sony's ARQ contains red, both greens and blue of each pixel: it is developed without a
  /// demosaic, and both greens are used.
  @Test func fourExposuresInOneFileAreFullColor() throws {
    let size = PixelSize(width: 96, height: 48)
    var raw = CameraContainer(
      make: "SONY", model: "ILCE-7RM3", coding: .arwUncompressed, size: size, samples: [])
    raw.gains = SIMD3(2, 1, 1.5)
    func sample(_ index: Int, _ channel: Int) -> UInt16 {
      UInt16(600 + (index &* 37 &+ channel &* 2311) % 15_000)
    }
    var picture = TIFFNode()
    picture.directory = raw.mosaic(compression: 1, bits: 14)
    picture.directory[277] = .shorts([4])
    picture.directory[0x7310] = .shorts([512, 512, 512, 512])
    picture.directory[0x7313] = .shorts(raw.gainsRedFirst(one: 1024))
    var data = ByteStream(order: .little)
    for index in 0..<size.area {
      for channel in 0..<4 { data.append(sample(index, channel)) }
    }
    picture.chunks = [data.bytes]
    var root = raw.camera
    root.children.append((330, [picture]))
    let file = try RawFile.open(bytes: root.file(order: .little))
    let decoded = try file.decode()
    #expect(decoded.layout == .linear && decoded.levels.black.allSatisfy { $0 == 512 })
    #expect(decoded.size.height == size.height && file.info.profile != nil)
    for y in 0..<decoded.size.height {
      let row = unsafe UnsafeBufferPointer(
        start: decoded.samples.counts(row: y), count: 3 * decoded.size.width)
      for x in 0..<decoded.size.width {
        let index = y * size.width + x
        let greens = [1, 2].map { Int(sample(index, $0)) }.reduce(1, +) / 2
        let expected = [Int(sample(index, 0)), greens, Int(sample(index, 3))]
        let read = (0..<3).map { Int(row[3 * x + $0]) }
        try #require(read == expected, "\(x), \(y)")
      }
    }
  }

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
