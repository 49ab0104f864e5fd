import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Writers

struct GainMapEncodingTests {
  /// All codes, once.
  private func map(
    minStops: Double = 0, maxStops: Double = 2, channels: Int = 1, base: Double = 0,
    usesBase: Bool = true
  ) throws -> StoredGainMap {
    let codes = (0...255).flatMap { [UInt8](repeating: UInt8($0), count: channels) }
    let one = try GainMapMetadata.Channel(minimumStops: minStops, maximumStops: maxStops)
    return StoredGainMap(
      try GainMapImage(size: PixelSize(width: 256, height: 1), channels: channels, bytes: codes),
      metadata: try GainMapMetadata(
        channels: Array(repeating: one, count: channels), baseHeadroomStops: base,
        alternateHeadroomStops: 2, usesBaseColorSpace: usesBase), alternatePrimaries: .bt2020)
  }

  private func stops(_ plan: GainMapEncoding, _ code: Int) -> Double {
    let channel = plan.metadata.channel(0)
    let v = Double(plan.image.codes[code]) / 255
    return channel.minimumStops + (channel.maximumStops - channel.minimumStops)
      * pow(v, 1 / channel.gamma)
  }

  @Test("One map serves both formulas", arguments: [1.0, 1.676758, 2, 3])
  func shared(maxStops: Double) throws {
    let plan = try GainMapEncoding(try map(maxStops: maxStops), wanted: .all)
    #expect(plan.formats == .all && plan.notes.isEmpty)
    #expect(abs(log2(plan.appleHeadroom) - maxStops) < 1e-12)
    var worst = 0.0
    for code in 0...255 {
      let wanted = maxStops * Double(code) / 255
      // ISO's formula is exact except for the step of a code, which is widest at 0.
      #expect(abs(stops(plan, code) - wanted) < 0.012 * maxStops)
      let fraction = BT709.linear(signal: Double(plan.image.codes[code]) / 255)
      worst = max(worst, abs(log2(1 + (plan.appleHeadroom - 1) * fraction) - wanted))
    }
    #expect(worst < (maxStops < 2.5 ? 0.06 : 0.12))
    // A phone's file has 0.713 for 1.676758 stops.
    if maxStops == 1.676758 { #expect(abs(plan.metadata.channel(0).gamma - 0.713) < 0.03) }
  }

  @Test("Apple's format alone is exact, and so are the other two")
  func alone() throws {
    let apple = try GainMapEncoding(try map(), wanted: [.apple])
    for code in 0...255 {
      let fraction = BT709.linear(signal: Double(apple.image.codes[code]) / 255)
      #expect(abs(log2(1 + 3 * fraction) - 2 * Double(code) / 255) < 0.013)
    }
    for formats: Set<GainMapFormat> in [[.iso], [.ultraHDR], [.iso, .ultraHDR]] {
      let source = try map(minStops: -1)
      let plan = try GainMapEncoding(source, wanted: formats)
      #expect(plan.image == source.image && plan.metadata == source.metadata)
    }
  }

  @Test("Apple's curve is BT.709's and its inverse")
  func curve() {
    #expect(abs(BT709.linear(signal: 0.25) - 0.0781539) < 1e-6)
    #expect(abs(BT709.linear(signal: 0.75) - 0.5635222) < 1e-6)
    for step in 0...100 {
      let v = Double(step) / 100
      #expect(abs(BT709.signal(linear: BT709.linear(signal: v)) - v) < 5e-4)
    }
  }

  @Test("Formats that cannot hold the map are omitted, with a note")
  func leftOut() throws {
    let color = try GainMapEncoding(try map(channels: 3), wanted: .all)
    #expect(color.formats == [.iso, .ultraHDR] && color.notes.count == 1)
    let dark = try GainMapEncoding(try map(minStops: -1), wanted: .all)
    #expect(dark.formats == [.iso, .ultraHDR] && dark.notes.count == 1)
    let foreign = try GainMapEncoding(try map(channels: 3, usesBase: false), wanted: .all)
    #expect(foreign.formats == [.iso] && foreign.notes.count == 2)
    #expect(!foreign.metadata.usesBaseColorSpace)
    let high = try GainMapEncoding(try map(base: 3), wanted: [.apple, .iso])
    #expect(high.formats == [.iso] && high.metadata.isBaseHDR)
    #expect(throws: WriteError.self) { try GainMapEncoding(try map(channels: 3), wanted: [.apple]) }
    // One gain acts alike in all primaries.
    let gray = try GainMapEncoding(try map(usesBase: false), wanted: [.ultraHDR])
    #expect(gray.metadata.usesBaseColorSpace && gray.notes.isEmpty)
  }

  @Test("Apple's map of a file stays as it is, in a JPEG with the other forms beside it")
  func applesAlone() throws {
    let image = try map().image
    let source = try #require(StoredGainMap(apple: image, headroom: 3.2, primaries: .displayP3))
    let plan = try GainMapEncoding(source, wanted: .all)
    #expect(plan.formats == .all && plan.image == image && plan.appleHeadroom == 3.2)
    let worst = (0...255).map { code in
      let fraction = BT709.linear(signal: Double(code) / 255)
      return abs(log2(1 + 2.2 * fraction) - stops(plan, code))
    }.max()
    #expect(try #require(worst) < 0.06)
    #expect(try GainMapEncoding(source, wanted: [.apple, .iso]).formats == [.apple])
    #expect(try GainMapEncoding(source, wanted: [.iso]).formats == [.iso])
  }

  @Test("A few gains below 0, as at edges, are accepted and stored as 0")
  func ripple() throws {
    var source = try map(minStops: -1, maxStops: 3)
    source.image = try GainMapImage(
      size: PixelSize(width: 1000, height: 1), channels: 1,
      bytes: [UInt8](repeating: 0, count: 9) + [UInt8](repeating: 192, count: 991))
    let plan = try GainMapEncoding(source, wanted: .all)
    #expect(plan.formats == .all)
    #expect(stops(plan, 0) == 0)
    #expect(abs(stops(plan, 500) - (4 * 192.0 / 255 - 1)) < 0.012)
  }

  @Test("Extreme parameters still give a map", arguments: [64.0, 30, 0, -3])
  func absurd(maxStops: Double) throws {
    for minStops in [-64, -4, maxStops] where minStops <= maxStops {
      for formats: Set<GainMapFormat> in [.all, [.iso]] {
        let plan = try GainMapEncoding(
          try map(minStops: minStops, maxStops: maxStops), wanted: formats)
        #expect(plan.image.codes.count == 256 && plan.appleHeadroom.isFinite)
        #expect(try GainMapMetadata(isoRecord: plan.metadata.isoRecord).channels.count == 1)
      }
    }
  }

  @Test("Maps of other depths are stored in eight bits")
  func depths() throws {
    var source = try map()
    source.image = try GainMapImage(
      size: PixelSize(width: 3, height: 1), channels: 1, codes: [0, 512, 1023], maximumCode: 1023)
    #expect(try GainMapEncoding(source, wanted: [.iso]).image.codes == [0, 128, 255])
    let beyond = try GainMapImage(
      size: PixelSize(width: 1, height: 1), channels: 1, codes: [900], maximumCode: 100)
    source.image = beyond
    #expect(try GainMapEncoding(source, wanted: .all).image.codes == [255])
  }
}
