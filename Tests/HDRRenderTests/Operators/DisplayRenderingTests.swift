import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct DisplayRenderingTests {
  static func picture(_ headroom: Float, primaries: Primaries = .displayP3)
    -> Image<DisplayReferred>
  {
    EditScene.ramps(headroom, primaries: primaries)
  }

  static func rendered(_ rendering: DisplayRendering, _ picture: DisplayPicture) throws
    -> Image<DisplayReferred>
  {
    try Image(rendering: rendering(picture))
  }

  static func gainMap(base: Double = 0, alternate: Double = 3) throws -> GainMapPicture {
    GainMapPicture(
      base: try GainMapPictureTests.base(30, 20), map: try GainMapPictureTests.map(15, 10),
      formula: .iso(
        try GainMapMetadata(
          channels: [.init(maximumStops: 3)], baseHeadroomStops: base,
          alternateHeadroomStops: alternate)))
  }

  static func expectSame(_ a: Image<DisplayReferred>, _ b: Image<DisplayReferred>) {
    for y in 0..<a.size.height { for x in 0..<a.size.width { #expect(a[x, y] == b[x, y]) } }
  }

  @Test func standardRangeComesBackBitForBit() throws {
    for primaries in [Primaries.srgb, .displayP3] {
      let picture = Self.picture(1, primaries: primaries)
      for range in DisplayRendering.DynamicRange.allCases {
        for display in [1.0, 2.5, 16] {
          let rendering = DisplayRendering(range, displayHeadroom: display)
          Self.expectSame(try Self.rendered(rendering, DisplayPicture(picture)), picture)
        }
      }
    }
    // BT.2020 inside P3 too: grays.
    let gray = try Image<DisplayReferred>(
      size: PixelSize(width: 9, height: 1), info: .init(primaries: .bt2020, headroom: 1)
    ) { planes in
      for plane in 0..<3 { for x in 0..<9 { planes.row(plane, 0)[x] = Float(x) / 8 } }
    }
    let reference = DisplayRendering(.reference, displayHeadroom: 10)
    Self.expectSame(try Self.rendered(reference, DisplayPicture(gray)), gray)
  }

  @Test func whatTheDisplayShowsComesBackBitForBit() throws {
    let picture = Self.picture(3)
    for range in [DisplayRendering.DynamicRange.high, .clamped] {
      for display in [3.0, 3.5, 100, .infinity] {
        let rendering = DisplayRendering(range, displayHeadroom: display)
        Self.expectSame(try Self.rendered(rendering, DisplayPicture(picture)), picture)
      }
    }
    let dark = Self.picture(1.4)
    let constrained = DisplayRendering(.constrainedHigh, displayHeadroom: 8)
    Self.expectSame(try Self.rendered(constrained, DisplayPicture(dark)), dark)
  }

  @Test func nothingExceedsTheDisplay() throws {
    let pictures = [
      DisplayPicture(Self.picture(8)), DisplayPicture(Self.picture(8, primaries: .srgb)),
      DisplayPicture(Self.picture(8), contentHeadroom: 3), DisplayPicture(try Self.gainMap()),
      DisplayPicture(try Self.gainMap(base: 3, alternate: 1)),
    ]
    for picture in pictures {
      for range in DisplayRendering.DynamicRange.allCases where range != .reference {
        for display in [1.0, 1.7, 4, 7.9] {
          let rendering = DisplayRendering(range, displayHeadroom: display)
          let limit = Float(rendering.headroom(for: picture))
          let rendered = try Self.rendered(rendering, picture)
          #expect(rendered.info.headroom <= limit)
          for y in 0..<rendered.size.height {
            for x in 0..<rendered.size.width { #expect(rendered[x, y].max() <= limit) }
          }
        }
      }
    }
  }

  @Test func theThreeRangesAreOrdered() throws {
    for average in [nil, 0.05, 0.18, 0.6] {
      for picture in [
        DisplayPicture(Self.picture(8), averageLightLevel: average),
        DisplayPicture(try Self.gainMap(), averageLightLevel: average),
      ] {
        for display in [1.0, 1.5, 2.5, 8] {
          let images = try [DisplayRendering.DynamicRange.standard, .constrainedHigh, .high].map {
            try Self.rendered(DisplayRendering($0, displayHeadroom: display), picture)
          }
          for y in 0..<20 {
            for x in 0..<30 {
              for c in 0..<3 {
                let (low, middle, high) = (
                  images[0][x, y][c], images[1][x, y][c], images[2][x, y][c]
                )
                #expect(low <= middle * (1 + 1e-5) && middle <= high * (1 + 1e-5))
              }
            }
          }
        }
      }
    }
  }

  @Test func graysRiseWhateverTheRange() throws {
    for range in DisplayRendering.DynamicRange.allCases {
      let rendered = try Self.rendered(
        DisplayRendering(range, displayHeadroom: 2.2), DisplayPicture(Self.picture(9)))
      for x in 1..<50 { #expect(rendered[x, 0].x >= rendered[x - 1, 0].x) }
      #expect(rendered[30, 0].x > rendered[3, 0].x)
    }
  }

  @Test func clampedCutsAndMappedBends() throws {
    // Ten times white on a display of five.
    let picture = Self.picture(10)
    let clamped = try Self.rendered(
      DisplayRendering(.clamped, displayHeadroom: 5), DisplayPicture(picture))
    let mapped = try Self.rendered(
      DisplayRendering(.high, displayHeadroom: 5), DisplayPicture(picture))
    for x in 0..<50 {
      #expect(clamped[x, 7].x == min(picture[x, 7].x, 5))
      #expect(mapped[x, 0].x <= picture[x, 0].x)
    }
    #expect(mapped[40, 0].x < 5 && abs(mapped[49, 0].x - 5) < 1e-4)
  }

  /// A curve made for less than the brightest pixel does not change the other pixels, and cuts
  /// nothing where the display covers the range.
  @Test func aGlintDoesNotBendTheCurve() throws {
    func picture(_ glint: Float) throws -> Image<DisplayReferred> {
      try Image(
        size: PixelSize(width: 50, height: 2), info: .init(primaries: .bt2020, headroom: 40)
      ) { planes in
        for plane in 0..<3 {
          for x in 0..<50 {
            planes.row(plane, 0)[x] = Float(x) * 3 / 49
            planes.row(plane, 1)[x] = x == 0 ? glint : 0
          }
        }
      }
    }
    let plain = DisplayPicture(try picture(3), contentHeadroom: 3)
    let glint = DisplayPicture(try picture(40), contentHeadroom: 40, toneHeadroom: 3)
    for range in [DisplayRendering.DynamicRange.standard, .high] {
      let rendering = DisplayRendering(range, displayHeadroom: 1.7)
      let (a, b) = (try Self.rendered(rendering, plain), try Self.rendered(rendering, glint))
      for x in 0..<50 { #expect(a[x, 0] == b[x, 0]) }
      #expect(abs(b[0, 1].x - (range == .high ? 1.7 : 1)) < 1e-3)
    }
    let fullRange = DisplayRendering(.high, displayHeadroom: 40)
    Self.expectSame(try Self.rendered(fullRange, glint), try picture(40))
    let between = try Self.rendered(DisplayRendering(.high, displayHeadroom: 10), glint)
    #expect(between[49, 0].x == 3 && abs(between[0, 1].x - 10) < 1e-3)
  }

  @Test func referenceTracksTheSignalAndIgnoresMetadata() throws {
    // PQ of 1000 and 10,000 cd/m² and of white.
    let nits = [100.0, 203, 1000, 10_000]
    let pq = try Image<DisplayReferred>(
      size: PixelSize(width: 4, height: 1), info: .init(primaries: .displayP3, headroom: 50)
    ) { planes in
      for plane in 0..<3 {
        for x in 0..<4 { planes.row(plane, 0)[x] = Float(nits[x] / ReferenceWhite.nits) }
      }
    }
    for declared in [nil, 1, 4.9, 50] {
      for average in [nil, 0.5] {
        let picture = DisplayPicture(
          pq, contentHeadroom: declared, averageLightLevel: average, isAbsolute: true)
        let rendered = try Self.rendered(DisplayRendering(.reference, displayHeadroom: 2), picture)
        for (x, expected) in [Float(1), 2.03, 10, 10].enumerated() {
          #expect(abs(rendered[x, 0].y - expected) < 1e-5 * expected)
        }
      }
    }
  }

  @Test func referenceClipsToP3() throws {
    let wide = try Image<DisplayReferred>(
      size: PixelSize(width: 3, height: 1), info: .init(primaries: .bt2020, headroom: 4)
    ) { planes in
      for x in 0..<3 { for plane in 0..<3 { planes.row(plane, 0)[x] = plane == x ? 4 : 0.01 } }
    }
    for isAbsolute in [false, true] {
      let rendered = try Self.rendered(
        DisplayRendering(.reference, displayHeadroom: 10),
        DisplayPicture(wide, isAbsolute: isAbsolute))
      let matrix = Primaries.bt2020.conversion(to: .displayP3)
      for x in 0..<3 {
        let p3 = matrix * SIMD3<Double>(rendered[x, 0])
        #expect(p3.min() > -2e-5 * p3.max() && p3.max() < 10.001, "\(p3)")
        #expect(rendered[x, 0].max() <= rendered.info.headroom)
      }
    }
  }

  @Test func isTheSameHoweverItIsCut() throws {
    for picture in [DisplayPicture(Self.picture(8)), DisplayPicture(try Self.gainMap())] {
      for range in DisplayRendering.DynamicRange.allCases {
        let source = DisplayRendering(range, displayHeadroom: 2)(picture)
        let fullRange = try Image(rendering: source, workers: 1)
        let tile = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
        let rect = PixelRect(x: 7, y: 3, width: 13, height: 9)
        try source.read(rect, into: tile)
        for y in 0..<9 {
          for x in 0..<13 { #expect(tile.row(1, y)[x] == fullRange[7 + x, 3 + y].y) }
        }
      }
    }
  }

  @Test func aGainMapLeadsThePictureAndNotACurve() throws {
    let map = try Self.gainMap()
    let standard = DisplayRendering(.standard, displayHeadroom: 8)
    Self.expectSame(
      try Self.rendered(standard, DisplayPicture(map)), try Image(rendering: map.base))
    let high = try Self.rendered(DisplayRendering(.high, displayHeadroom: 100), DisplayPicture(map))
    Self.expectSame(high, try Image(rendering: map.rendition(displayHeadroom: 8)))
  }

  @Test func hostileDisplaysCountAsStandard() throws {
    for bad in [Double.nan, -5, 0] {
      let rendered = try Self.rendered(
        DisplayRendering(.high, displayHeadroom: bad), DisplayPicture(Self.picture(8)))
      for x in 0..<50 { #expect(rendered[x, 9].max() <= 1) }
    }
    let lying = DisplayPicture(Self.picture(8), contentHeadroom: .nan, averageLightLevel: .nan)
    #expect(lying.contentHeadroom == 1)
    let rendered = try Self.rendered(DisplayRendering(.constrainedHigh, displayHeadroom: 4), lying)
    for x in 0..<50 { #expect(rendered[x, 3].max() <= 2) }
  }
}
