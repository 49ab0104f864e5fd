import Develop
import Foundation
import ImageCore
import RawFilter
import SyntheticRaw
import TestSupport
import Testing

@Suite("Profile tool")
struct ProfileToolTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private let origin = PixelPoint(x: 80, y: 70)
  private let pitch = 56

  private func raw(gain: Float = 1) throws -> String {
    var sensor = SimulatedSensor()
    sensor.border = PixelSize(width: 0, height: 0)
    sensor.cropMargin = 0
    sensor.defectCount = 0
    let (origin, pitch) = (origin, pitch)
    let writer = sensor.expose(size: PixelSize(width: 440, height: 310)) { x, y in
      ColorChart.light(x: x, y: y, origin: origin, pitch: pitch) * gain
    }
    return try folder.write(try writer.bytes, to: "chart.dng")
  }

  @Test("makes a profile that our own reader takes, with the colors of the chart")
  func profile() throws {
    let chart = try raw()
    var tool = ProfileTool()
    tool.chart = .before2014
    let report = try tool.make(chart, to: .replacing(folder.file("camera.dcp")))
    #expect(report.after.mean < 0.35)
    #expect(report.after.mean <= report.leftOut.mean)
    #expect(report.leftOut.mean < 0.6)
    #expect(report.neutralUnevenness < 1.05)
    // The file declares its illuminant.
    let white = try RAWFilter(url: URL(filePath: chart)).neutralChromaticity
    #expect(abs(report.light.x - white.x) < 0.002)
    #expect(abs(report.light.y - white.y) < 0.002)
    #expect(abs(report.corners[0][0] - Double(origin.x)) < 2)
    #expect(abs(report.corners[2][1] - Double(origin.y + 3 * pitch)) < 2)

    var filter = try RAWFilter(url: URL(filePath: chart))
    filter.profilePath = report.output
    #expect(filter.profiles.map(\.name) == [report.name])
    #expect(filter.warnings.isEmpty)
    // The white is still the file's, by the new matrix.
    #expect(abs(filter.neutralChromaticity.x - white.x) < 0.002)
    filter.boostAmount = 0
    let picture = try filter.outputImage().image
    for (index, expected) in ColorChart.patches.enumerated() where index < 22 {
      let (x, y) = (origin.x + index % 6 * pitch, origin.y + index / 6 * pitch)
      let sum = (0..<256).reduce(SIMD3<Float>()) {
        $0 + picture[x - 8 + $1 % 16, y - 8 + $1 / 16]
      }
      let away = sum / 256 - expected
      #expect((away * away).sum().squareRoot() < 0.015, "\(report.patches[index].name)")
    }
  }

  @Test("takes corners by hand, and finds the same")
  func corners() throws {
    let chart = try raw()
    var tool = ProfileTool()
    let found = try tool.make(chart, to: .replacing(folder.file("found.dcp")))
    tool.corners = found.corners.map { SIMD2($0[0], $0[1]) }
    let given = try tool.make(chart, to: .replacing(folder.file("given.dcp")))
    #expect(abs(given.after.mean - found.after.mean) < 0.05)
  }

  @Test("writes nothing where the chart is clipped or there is none")
  func refusals() throws {
    let clipped = try raw(gain: 4)
    let output = folder.file("camera.dcp")
    let error = try #require(throws: DevelopError.self) {
      try ProfileTool().make(clipped, to: .replacing(output))
    }
    #expect(error.message.contains("clipped"))
    var tool = ProfileTool()
    tool.corners = [SIMD2(0, 0), SIMD2(9, 9), SIMD2(3, 0), SIMD2(1, 1)]
    #expect(throws: DevelopError.self) { try tool.make(clipped, to: .replacing(output)) }
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
