import Foundation
import ImageCore
import Testing

@testable import HDRRender

@Suite struct GainMapCreationTests {
  /// A sky with a sun, saturated lamps, a ramp and a grid of colors, up to `peak`.
  static func scene(_ width: Int, _ height: Int, peak: Float = 8) throws -> Image<SceneLinear> {
    try Image(size: PixelSize(width: width, height: height), info: .init(peak: peak)) { planes in
      for y in 0..<height {
        for x in 0..<width {
          let (u, v) = (Float(x) / Float(width), Float(y) / Float(height))
          let sun = peak * exp(-((u - 0.3) * (u - 0.3) + (v - 0.3) * (v - 0.3)) * 60)
          let lamp = 3 * exp(-((u - 0.8) * (u - 0.8) + (v - 0.7) * (v - 0.7)) * 90)
          // The horizon is as sharp as a lens draws it, four pixels from end to end.
          let sky = 1 / (1 + exp((v - 0.6) * Float(height) / 0.7))
          let ground = (0.05 + 0.4 * u) * (1 - sky) + (0.25 + 0.5 * v) * sky
          let tile = 0.06 * (1 + sin(u * 60) * sin(v * 40))
          planes.row(0, y)[x] = min(ground + sun + lamp, peak)
          planes.row(1, y)[x] = min(ground + sun * 0.9 + lamp * 0.2 + tile, peak)
          planes.row(2, y)[x] = min(ground * 0.8 + sun * 0.7 + lamp * 0.05, peak)
        }
      }
    }
  }

  static func renditions(_ width: Int, _ height: Int) throws -> (
    standard: Image<DisplayReferred>, high: Image<DisplayReferred>
  ) {
    let scene = try Self.scene(width, height)
    func render(_ amount: Float) throws -> Image<DisplayReferred> {
      try Image(
        rendering: HDRRenderer(
          .init(extendedDynamicRangeAmount: amount, primaries: .displayP3), scenePeak: 8
        ).render(scene))
    }
    return (try render(0), try render(1))
  }

  /// Mean and 99.9 % of |log2| between a picture and the one it should be, offsets added.
  static func errors(
    _ found: Image<DisplayReferred>, _ wanted: Image<DisplayReferred>, luminance: Bool
  ) -> (mean: Double, top: Double) {
    let weights = SIMD3<Float>(wanted.info.primaries.luminance)
    var all: [Double] = []
    for y in 0..<wanted.size.height {
      for x in 0..<wanted.size.width {
        let (a, b) = (found[x, y], wanted[x, y])
        let pairs =
          luminance ? [((a * weights).sum(), (b * weights).sum())] : (0..<3).map { (a[$0], b[$0]) }
        for (p, q) in pairs {
          all.append(abs(log2((Double(p) + 1 / 64) / (Double(q) + 1 / 64))))
        }
      }
    }
    all.sort()
    return (all.reduce(0, +) / Double(all.count), all[min(all.count * 999 / 1000, all.count - 1)])
  }

  static func roundTrip(
    _ creation: GainMapCreation, _ standard: Image<DisplayReferred>,
    _ high: Image<DisplayReferred>
  ) throws -> (result: GainMapCreation.Result, rendered: Image<DisplayReferred>) {
    let result = try creation.map(from: standard, to: high)
    let picture = GainMapPicture(
      base: creation.isBaseHDR ? high : standard, map: result.image,
      formula: .iso(result.metadata), alternatePrimaries: high.info.primaries)
    let display = creation.isBaseHDR ? 1 : picture.headrooms.upperBound
    return (result, try Image(rendering: picture.rendition(displayHeadroom: display)))
  }

  @Test func theHighRenditionComesBack() throws {
    for (width, height) in [(360, 240), (361, 239)] {
      let (standard, high) = try Self.renditions(width, height)
      for kind in [GainMapCreation.Kind.luminance, .rgb] {
        for gamma in [1, 0.7] {
          let creation = try GainMapCreation(kind: kind, gamma: gamma)
          let (result, rendered) = try Self.roundTrip(creation, standard, high)
          let (mean, top) = Self.errors(rendered, high, luminance: kind == .luminance)
          print("\(kind) gamma \(gamma) \(width)x\(height): mean \(mean), 99.9 % \(top) stops")
          #expect(mean < 0.02 && top < 0.1)
          #expect(result.image.size == PixelSize(width: (width + 1) / 2, height: (height + 1) / 2))
          #expect(result.image.channels == (kind == .luminance ? 1 : 3))
        }
      }
    }
  }

  @Test func theStandardRenditionComesBackFromTheHighOne() throws {
    let (standard, high) = try Self.renditions(300, 200)
    let creation = try GainMapCreation(kind: .rgb, isBaseHDR: true)
    let (result, rendered) = try Self.roundTrip(creation, standard, high)
    #expect(result.metadata.isBaseHDR && result.metadata.alternateHeadroomStops == 0)
    let (mean, top) = Self.errors(rendered, standard, luminance: false)
    #expect(mean < 0.02 && top < 0.1)
  }

  @Test func theHeadroomIsThatOfTheContent() throws {
    let (standard, high) = try Self.renditions(120, 80)
    let result = try GainMapCreation().map(from: standard, to: high)
    let peak = try high.lightStatistics().contentHeadroom
    #expect(result.metadata.alternateHeadroomStops == log2(Double(peak)))
    #expect(result.metadata.baseHeadroomStops == 0)
    #expect(peak > 4)
    // Independent of the bands: 239 rows divide some samples between bands.
    let (odd, oddHigh) = try Self.renditions(61, 299)
    let one = try GainMapCreation(kind: .rgb).map(from: odd, to: oddHigh, workers: 1)
    let two = try GainMapCreation(kind: .rgb).map(from: odd, to: oddHigh, workers: 2)
    #expect(one.image == two.image && one.metadata == two.metadata)
    let all = try oddHigh.lightStatistics()
    #expect(one.highLight.contentHeadroom == all.contentHeadroom)
    #expect(
      abs(one.highLight.contentAverageLightLevel - all.contentAverageLightLevel) < 1e-6)
  }

  @Test func aKnownGainIsMeasured() throws {
    // High is (standard + k) · 2^stops − k: one gain everywhere.
    let standard = try GainMapPictureTests.base(40, 30)
    for stops in [Float(0), 1.5, 3] {
      let high = try Image<DisplayReferred>(
        size: standard.size, info: .init(primaries: .displayP3, headroom: 8.2)
      ) { planes in
        for plane in 0..<3 {
          for y in 0..<30 {
            for x in 0..<40 {
              planes.row(plane, y)[x] = (standard[x, y][plane] + 1 / 64) * exp2(stops) - 1 / 64
            }
          }
        }
      }
      for kind in [GainMapCreation.Kind.luminance, .rgb] {
        let result = try GainMapCreation(kind: kind).map(from: standard, to: high)
        for channel in result.metadata.channels {
          #expect(abs(channel.minimumStops - Double(stops)) <= 2.0 / 256)
          #expect(abs(channel.maximumStops - Double(stops)) <= 2.0 / 256)
        }
      }
    }
  }

  /// Gains that change from pixel to pixel: a map of full size holds them, half of it their mean.
  @Test func aMapOfFullSizeHoldsEveryPixel() throws {
    let standard = try GainMapPictureTests.base(41, 30)
    let high = try Image<DisplayReferred>(
      size: standard.size, info: .init(primaries: .displayP3, headroom: 9)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<30 {
          for x in 0..<41 {
            planes.row(plane, y)[x] = standard[x, y][plane] * ((x + y) % 2 == 0 ? 8 : 1)
          }
        }
      }
    }
    let full = try GainMapCreation(scale: .full)
    let (result, rendered) = try Self.roundTrip(full, standard, high)
    #expect(result.image.size == standard.size)
    #expect(Self.errors(rendered, high, luminance: true).top < 0.02)
    let (_, half) = try Self.roundTrip(try GainMapCreation(), standard, high)
    #expect(Self.errors(half, high, luminance: true).top > 1)
  }

  @Test func equalRenditionsGiveAMapThatDoesNothing() throws {
    let standard = try GainMapPictureTests.base(11, 7)
    let (_, rendered) = try Self.roundTrip(try GainMapCreation(), standard, standard)
    for y in 0..<7 { for x in 0..<11 { #expect(rendered[x, y] == standard[x, y]) } }
  }

  @Test func aLoneWrongPixelDoesNotCoarsenTheRest() throws {
    let (standard, high) = try Self.renditions(800, 600)
    let broken = try Image<DisplayReferred>(size: high.size, info: high.info) {
      planes throws(PixelError) in
      try high.read(PixelRect(high.size), into: planes)
      for plane in 0..<3 { planes.row(plane, 350)[240] = plane == 0 ? .nan : 0 }
      for plane in 0..<3 { planes.row(plane, 590)[100] = .infinity }
    }
    let clean = try GainMapCreation().map(from: standard, to: high).metadata
    let found = try GainMapCreation().map(from: standard, to: broken).metadata
    #expect(abs(found.channels[0].minimumStops - clean.channels[0].minimumStops) < 0.05)
    #expect(abs(found.channels[0].maximumStops - clean.channels[0].maximumStops) < 0.05)
    #expect(found.alternateHeadroomStops <= log2(Double(high.info.headroom)))
  }

  @Test func badInputIsRefused() throws {
    let (a, b) = (try GainMapPictureTests.base(4, 4), try GainMapPictureTests.base(4, 5))
    #expect(throws: GainMapError.self) { try GainMapCreation().map(from: a, to: b) }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GainMapError.self) { try GainMapCreation(gamma: bad) }
      #expect(throws: GainMapError.self) { try GainMapCreation(offset: bad) }
    }
    let tiny = try GainMapPictureTests.base(1, 1)
    #expect(try GainMapCreation().map(from: tiny, to: tiny).image.size == tiny.size)
  }
}
