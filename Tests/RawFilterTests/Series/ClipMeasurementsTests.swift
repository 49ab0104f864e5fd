import Foundation
import ImageCore
import TestSupport
import Testing

@testable import RawFilter

/// Frames of a clip that take the measurements of one of them.
struct ClipMeasurementsTests {
  private static func filter(_ peak: Float) throws -> RAWFilter {
    try RAWFilter(data: Data(SmallRaw.bytes(peak: peak)))
  }

  private static func fixed(_ filter: RAWFilter) throws -> RAWFilter {
    var filter = filter
    filter.settings = try filter.resolvedSettings()
    filter.settings.extendedDynamicRangeAmount = 1
    return filter
  }

  @Test("The frame that was measured is what it was")
  func same() throws {
    var filter = try Self.fixed(Self.filter(2))
    let before = try filter.outputImage()
    filter.clip = try filter.clipMeasurements()
    let after = try filter.outputImage()
    #expect(after.fileHeadroom == before.fileHeadroom)
    for y in 0..<before.image.size.height {
      for x in 0..<before.image.size.width { #expect(before.image[x, y] == after.image[x, y]) }
    }
  }

  @Test("Frames of several brightnesses have one headroom and one tone curve")
  func shared() throws {
    let bright = try Self.fixed(Self.filter(2.4))
    var dark = try Self.fixed(Self.filter(1.2))
    dark.settings.baselineExposure = bright.settings.baselineExposure
    let own = try dark.plan()
    dark.clip = try bright.clipMeasurements()
    let plan = try dark.plan()
    #expect(try plan.headroom == bright.plan().headroom)
    #expect(plan.headroom != own.headroom)
    // As many stops darker as the light was, below the curve's shoulder.
    #expect(plan.peak == dark.clip?.peak)
  }

  @Test("The luminance grid follows the light, and leaves out what is saturated")
  func grid() throws {
    let one = try Self.filter(1).luminanceGrid()
    let two = try Self.filter(2).luminanceGrid()
    #expect(one.count == two.count && !one.isEmpty)
    let ratios = zip(one, two).compactMap { a, b in
      if let a, let b { b / a } else { Float?.none }
    }.sorted()
    #expect(ratios.count > one.count / 4)
    #expect(abs(ratios[ratios.count / 2] - 2) < 0.1)
    #expect(try Self.filter(8).luminanceGrid().contains { $0 == nil })
  }
}
