import Foundation
import ImageCore
import Testing

@testable import HDRRender

@Suite struct GainMapPictureTests {
  static func base(_ width: Int, _ height: Int, primaries: Primaries = .displayP3) throws
    -> Image<DisplayReferred>
  {
    try Image(
      size: PixelSize(width: width, height: height), info: .init(primaries: primaries, headroom: 1)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<height {
          for x in 0..<width {
            planes.row(plane, y)[x] = Float((x * 7 + y * 13 + plane * 5) % 64) / 63
          }
        }
      }
    }
  }

  static func map(_ width: Int, _ height: Int, channels: Int = 1) throws -> GainMapImage {
    let count = width * height * channels
    return try GainMapImage(
      size: PixelSize(width: width, height: height), channels: channels,
      bytes: (0..<count).map { UInt8(($0 * 37 + $0 / 5) % 256) })
  }

  static func iso(usesBase: Bool = true) throws -> GainMapPicture.Formula {
    .iso(
      try GainMapMetadata(
        channels: [.init(minimumStops: -1, maximumStops: 3)], alternateHeadroomStops: 3,
        usesBaseColorSpace: usesBase))
  }

  @Test func isTheSameHoweverItIsCut() throws {
    for (w, h, channels) in [(24, 17, 1), (24, 17, 3), (1, 1, 1), (61, 5, 3), (100, 90, 1)] {
      let picture = GainMapPicture(
        base: try Self.base(47, 33), map: try Self.map(w, h, channels: channels),
        formula: try Self.iso())
      let rendition = picture.rendition(displayHeadroom: 5)
      let whole = try PlanarBuffer(size: rendition.size)
      try rendition.read(PixelRect(rendition.size), into: whole)
      let tile = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      for rect in [
        PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 13, y: 9, width: 11, height: 5),
        PixelRect(x: 46, y: 32, width: 1, height: 1), PixelRect(x: 5, y: 30, width: 42, height: 3),
      ] {
        try rendition.read(rect, into: tile)
        for plane in 0..<3 {
          for y in 0..<rect.height {
            for x in 0..<rect.width {
              #expect(tile.row(plane, y)[x] == whole.row(plane, rect.y + y)[rect.x + x])
            }
          }
        }
      }
    }
  }

  @Test func theMapIsStretchedWithItsEdgesOnThoseOfThePicture() throws {
    // Samples 0, 100, 200 over six pixels: centers at −1/6 … of the map's pixels.
    let map = try GainMapImage(
      size: PixelSize(width: 3, height: 1), channels: 1, bytes: [0, 100, 200])
    let sampler = GainMapSampler(map, over: PixelSize(width: 6, height: 2))
    let (out, line) = (
      try PlanarBuffer(size: PixelSize(width: 6, height: 1)),
      try PlanarBuffer(size: PixelSize(width: 8, height: 1))
    )
    sampler.read(y: 1, x: 0, count: 6, line: line.row(0, 0), rows: [out.row(0, 0)])
    for (x, expected) in [Float(0), 25, 75, 125, 175, 200].enumerated() {
      #expect(abs(out.row(0, 0)[x] * 255 - expected) < 1e-4)
    }
  }

  @Test func aMapOfTheSameSizeIsTakenAsItIs() throws {
    let map = try Self.map(9, 4, channels: 3)
    let sampler = GainMapSampler(map, over: map.size)
    let out = try PlanarBuffer(size: map.size)
    let line = try PlanarBuffer(size: PixelSize(width: 64, height: 1))
    for y in 0..<4 {
      sampler.read(
        y: y, x: 0, count: 9, line: line.row(0, 0), rows: (0..<3).map { out.row($0, y) })
      for x in 0..<9 {
        for c in 0..<3 {
          #expect(out.row(c, y)[x] == Float(map.codes[(y * 9 + x) * 3 + c]) * Float(1.0 / 255))
        }
      }
    }
  }

  @Test func withoutHeadroomTheBaseComesBackBitForBit() throws {
    let base = try Self.base(20, 10)
    for formula in [try Self.iso(), try Self.iso(usesBase: false), .apple(headroom: 8)] {
      let picture = GainMapPicture(
        base: base, map: try Self.map(10, 5), formula: formula, alternatePrimaries: .bt2020)
      let rendered = try Image(rendering: picture.rendition(displayHeadroom: 1))
      #expect(rendered.info == base.info)
      for y in 0..<10 { for x in 0..<20 { #expect(rendered[x, y] == base[x, y]) } }
    }
  }

  @Test func gainsActInTheAlternatesPrimariesWhenTheFormulaSaysSo() throws {
    let base = try Self.base(8, 8, primaries: .srgb)
    let flat = try GainMapImage(
      size: PixelSize(width: 1, height: 1), channels: 1, bytes: [255])
    let picture = GainMapPicture(
      base: base, map: flat, formula: try Self.iso(usesBase: false), alternatePrimaries: .bt2020)
    let rendition = picture.rendition(displayHeadroom: 8)
    #expect(rendition.info.primaries == .bt2020)
    let rendered = try Image(rendering: rendition)
    let matrix = Primaries.srgb.conversion(to: .bt2020)
    for y in 0..<8 {
      for x in 0..<8 {
        let color = matrix * SIMD3<Double>(base[x, y])
        for c in 0..<3 {
          let expected: Double = (color[c] + 1.0 / 64) * 8 - 1.0 / 64
          #expect(abs(Double(rendered[x, y][c]) - expected) < 1e-5)
        }
        #expect(rendered[x, y].max() <= rendition.info.headroom)
      }
    }
  }

  @Test func badMapsAreRefused() {
    let size = PixelSize(width: 2, height: 2)
    #expect(throws: GainMapError.self) { try GainMapImage(size: size, channels: 1, bytes: [1]) }
    #expect(throws: GainMapError.self) {
      try GainMapImage(size: size, channels: 2, bytes: [UInt8](repeating: 0, count: 8))
    }
    #expect(throws: GainMapError.self) {
      try GainMapImage(size: PixelSize(width: 0, height: 2), channels: 1, bytes: [])
    }
    #expect(throws: GainMapError.self) {
      try GainMapImage(size: size, channels: 1, codes: [0, 0, 0, 0], maximumCode: 0)
    }
    #expect(throws: GainMapError.self) {
      try GainMapImage(
        size: PixelSize(width: .max, height: .max), channels: 3, bytes: [1, 2, 3])
    }
  }
}
