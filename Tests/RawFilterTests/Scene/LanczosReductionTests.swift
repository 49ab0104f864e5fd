import Foundation
import ImageCore
import Synchronization
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct LanczosReductionTests {
  static func reduced(
    _ source: Image<CameraRGB>, to size: PixelSize, origin: Double = 0, span: Double? = nil,
    tile: Int = 1000
  ) throws -> Image<CameraRGB> {
    let reduction = LanczosReduction(
      size: size, source: source.size, originX: origin, originY: origin,
      spanX: span ?? Double(source.size.width), spanY: span ?? Double(source.size.height))
    let pool = BufferPool()
    return try Image(size: size, info: .init()) { planes throws(PixelError) in
      let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      for rect in PixelRect(size).tiles(width: tile, height: tile) {
        try reduction.read(rect, from: source, into: part, pool: pool)
        for plane in 0..<3 {
          for y in 0..<rect.height {
            planes.row(plane, rect.y + y).from(rect.x).update(
              from: part.row(plane, y), count: rect.width)
          }
        }
      }
    }
  }

  static func image(
    _ width: Int, _ height: Int, _ value: (Double, Double) -> Double
  ) throws -> Image<CameraRGB> {
    try Image(size: PixelSize(width: width, height: height), info: .init()) {
      (planes: PlanarBuffer) in
      for plane in 0..<3 {
        for y in 0..<height {
          for x in 0..<width { planes.row(plane, y)[x] = Float(value(Double(x), Double(y))) }
        }
      }
    }
  }

  static let busy = certain {
    try image(67, 67) { x, y in
      let step = Int(x * 7 + y * 13) % 23
      return Double(step) / 23 - 0.1 + (x > 30 && y > 20 && x < 40 ? 5 : 0)
    }
  }

  @Test func wholePixelsComeBackBitForBit() throws {
    let same = try Self.reduced(
      Self.busy, to: PixelSize(width: 40, height: 40), origin: 13, span: 40)
    for y in 0..<40 { for x in 0..<40 { #expect(same[x, y] == Self.busy[x + 13, y + 13]) } }
  }

  @Test(arguments: [3, 17, 23, 50, 66]) func nothingRings(side: Int) throws {
    // A lamp on black: no value below 0 or above the lamp, in any channel.
    let lamp = try Self.image(120, 120) { x, y in hypot(x - 57, y - 63) < 17 ? 9 : 0 }
    let small = try Self.reduced(lamp, to: PixelSize(width: side, height: side))
    for y in 0..<side {
      for x in 0..<side { #expect(small[x, y].min() >= 0 && small[x, y].max() <= 9) }
    }
  }

  @Test func constantsStay() throws {
    let flat = try Self.image(61, 47) { _, _ in 0.3 }
    let small = try Self.reduced(flat, to: PixelSize(width: 22, height: 9))
    for y in 0..<9 { for x in 0..<22 { #expect(abs(small[x, y].x - 0.3) < 1e-6) } }
  }

  /// Waves that the result can hold keep more of their amplitude than by area means; those that it
  /// cannot hold are gone.
  @Test func isSharperThanAreasAndDoesNotAlias() throws {
    func amplitude(_ period: Double, _ isLanczos: Bool) throws -> Double {
      let wave = try Self.image(480, 16) { x, _ in 0.5 + 0.4 * sin(2 * .pi * x / period) }
      let size = PixelSize(width: 160, height: 5)
      let small =
        isLanczos
        ? try Self.reduced(wave, to: size) : try ResamplingTests.reduced(size, from: wave)
      let values = (20..<140).map { Double(small[$0, 2].x) }
      let mean = values.reduce(0, +) / Double(values.count)
      return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * 2 / Double(values.count))
        .squareRoot() / 0.4
    }
    #expect(try amplitude(9, true) > 0.9 && amplitude(9, true) > amplitude(9, false) + 0.04)
    #expect(try amplitude(4.3, true) < 0.6 * amplitude(4.3, false))
  }

  /// However small the result, its source is read in parts.
  @Test func largeSourcesAreReadInParts() throws {
    let slope = try Self.image(9, 3000) { x, y in x + y / 100 }
    let source = MeasuredSource(image: slope)
    let reduction = LanczosReduction(
      size: PixelSize(width: 9, height: 10), source: slope.size, originX: 0, originY: 0, spanX: 9,
      spanY: 3000)
    let (small, pool) = (try PlanarBuffer(size: PixelSize(width: 9, height: 10)), BufferPool())
    try reduction.read(PixelRect(small.size), from: source, into: small, pool: pool)
    #expect(source.highest.rows.withLock { $0 } <= 512)
    for y in 3..<7 {
      for x in 0..<9 {
        let wanted = Float(x) + (Float(y) * 300 + 149.5) / 100
        #expect(abs(small.row(1, y)[x] - wanted) < 1e-3)
      }
    }
    let row = try PlanarBuffer(size: PixelSize(width: 9, height: 1))
    for y in 0..<10 {
      let rect = PixelRect(x: 0, y: y, width: 9, height: 1)
      try reduction.read(rect, from: source, into: row, pool: pool)
      for x in 0..<9 { #expect(row.row(2, 0)[x] == small.row(2, y)[x]) }
    }
  }

  @Test func tilesDoNotShow() throws {
    let size = PixelSize(width: 29, height: 29)
    let whole = try Self.reduced(Self.busy, to: size)
    let tiled = try Self.reduced(Self.busy, to: size, tile: 7)
    for y in 0..<29 { for x in 0..<29 { #expect(tiled[x, y] == whole[x, y]) } }
  }
}

/// A picture that records the maximum number of rows requested at once.
private struct MeasuredSource: PixelSource {
  typealias State = CameraRGB

  final class Highest: Sendable {
    let rows = Mutex(0)
  }

  let image: Image<CameraRGB>
  let highest = Highest()

  var size: PixelSize { image.size }
  var info: CameraRGB.Info { image.info }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    highest.rows.withLock { $0 = max($0, rect.height) }
    try image.read(rect, into: buffer)
  }
}
