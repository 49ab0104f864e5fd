import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct ProfileColorTests {
  static func picture(_ filter: RAWFilter) throws -> [SIMD3<Float>] {
    let scene = try filter.scenePipeline()
    let image = try Image(rendering: scene, workers: 1)
    return (0..<scene.size.height).flatMap { y in
      (0..<scene.size.width).map { image[$0, y] }
    }
  }

  static func dng(_ gains: [Float], width: Int = 61, height: Int = 40) -> TinyDNG {
    var dng = TinyDNG(width: width, height: height)
    dng.pixel = { x, y in
      [UInt16(x * 500 + 100), UInt16(y * 900 + 100), UInt16((x + y) * 300 + 200)]
    }
    dng.fields = [
      50719: .longs([3, 2]), 50720: .longs([width - 7, height - 5]),
      52525: TinyDNG.gainTableMap(
        rows: 2, columns: 2, points: 2, stored: gains.map(\.bitPattern)),
    ]
    return dng
  }

  @Test func neutralTablesAndStrengthZeroChangeNoBit() throws {
    var plain = Self.dng([])
    plain.fields[52525] = nil
    let expected = try Self.picture(RAWFilter(data: plain.data))
    var neutral = Self.dng([Float](repeating: 1, count: 8))
    neutral.fields[50937] = .longs([2, 2, 1])
    neutral.fields[50938] = .floats([0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1])
    #expect(try Self.picture(RAWFilter(data: neutral.data)) == expected)
    var filter = try RAWFilter(data: Self.dng(GainTableMapTests.gains).data)
    #expect(filter.isLocalToneMapSupported && filter.localToneMapAmount == 1)
    #expect(filter.supportedAdjustments.contains("localToneMapAmount"))
    #expect(try Self.picture(filter) != expected)
    filter.localToneMapAmount = 0
    #expect(try Self.picture(filter) == expected)
    let none = try RAWFilter(data: plain.data)
    #expect(none.localToneMapAmount == 0)
  }

  @Test func valuesRiseWithTheStrengthOfBrighteningMaps() throws {
    var filter = try RAWFilter(data: Self.dng([1, 2, 1.5, 4, 1.5, 1, 3, 2]).data)
    filter.localToneMapAmount = 0
    var last = try Self.picture(filter)
    for amount: Float in [0.25, 0.5, 0.75, 1] {
      filter.localToneMapAmount = amount
      let next = try Self.picture(filter)
      let rises = zip(last, next).allSatisfy { abs($1.y) >= abs($0.y) * 0.99999 }
      #expect(rises, "at \(amount)")
      last = next
    }
  }

  /// Any rectangle, any orientation, the same bits.
  @Test func cutsDoNotMatter() throws {
    var dng = Self.dng(GainTableMapTests.gains)
    dng.fields[50981] = .longs([3, 2, 2])
    var look: [Float] = []
    for i in 0..<12 { look += [Float(i) * 3, 1 + Float(i) / 40, 1 + Float(i) / 30] }
    dng.fields[50982] = .floats(look)
    dng.fields[52543] = RGBTableTests.tag(side: 4, gamma: 1, space: 2) { $0 * $0 }
    for orientation in [Orientation.up, .right, .down] {
      for scale: Float in [1, 0.7, 0.4] {
        var filter = try RAWFilter(data: dng.data)
        filter.orientation = orientation
        filter.scaleFactor = scale
        filter.exposure = 0.5
        let scene = try filter.scenePipeline()
        #expect(scene.profileColor != nil)
        let whole = try Image(rendering: scene, workers: 1)
        let size = scene.size
        let buffer = try PlanarBuffer(size: size)
        let rects = [
          PixelRect(x: 0, y: 0, width: 5, height: 5), PixelRect(x: 3, y: 7, width: 11, height: 4),
          PixelRect(x: size.width - 3, y: size.height - 2, width: 3, height: 2),
        ]
        for rect in rects {
          try scene.read(rect, into: buffer)
          for j in 0..<rect.height {
            for i in 0..<rect.width {
              let pixel = whole[rect.x + i, rect.y + j]
              for c in 0..<3 { #expect(buffer.row(c, j)[i] == pixel[c]) }
            }
          }
        }
        let parallel = try Image(rendering: scene, bandHeight: 3, workers: 3)
        let (right, bottom) = (size.width - 1, size.height - 1)
        #expect(parallel[right, bottom] == whole[right, bottom])
      }
    }
  }

  /// Infinity and NaN stay within the tables.
  @Test func nonsenseInPixelsDoesNoHarm() throws {
    let hueSat = try HueSatTableTests.table(6, 4, 3, isEncoded: true) { _, h, s in
      SIMD3(Float(h) * 20, 1 + Float(s) / 4, 1.2)
    }
    for isHighRange in [false, true] {
      let table = try RGBTableTests.table(RGBTableTests.tag(gamma: 2, space: 1) { $0 })
      for value in [Float.infinity, -.infinity, .nan, 3e38, -3e38, .leastNonzeroMagnitude] {
        for rgb: SIMD3<Float> in [[value, 0.5, 0.1], [0.2, value, value], [1, -1, value]] {
          _ = try HueSatTableTests.mapped(rgb, hueSat, isHighRange: isHighRange)
          _ = try RGBTableTests.mapped(rgb, table, isHighRange: isHighRange)
          let buffer = try PlanarBuffer(size: PixelSize(width: 8, height: 1))
          for x in 0..<8 { for c in 0..<3 { buffer.row(c, 0)[x] = rgb[c] } }
          GainTableMapTests.small.apply(
            buffer.rows(0),
            at: GainTableMap.RowPosition(firstPixel: 0, start: 0, step: .infinity, v: 0.5), scale: 1
          )
        }
      }
    }
  }

  /// The map sees the file's exposure; what the caller adds acts behind it and only scales.
  @Test func callersExposureOnlyScales() throws {
    var filter = try RAWFilter(data: Self.dng(GainTableMapTests.gains).data)
    let before = try Self.picture(filter)
    filter.exposure = 1
    filter.baselineExposure = 1
    let after = try Self.picture(filter)
    for (a, b) in zip(before, after) {
      #expect(HueSatTableTests.isNear(b, a * 4, 1e-5 * max(a.max() * 4, 1)))
    }
    let peak = try filter.scenePipeline().info.peak
    filter.exposure = 0
    filter.baselineExposure = 0
    #expect(abs(try filter.scenePipeline().info.peak * 4 / peak - 1) < 1e-5)
    filter.scaleFactor = 0.3
    #expect(abs(try filter.scenePipeline().info.peak * 4 / peak - 1) < 1e-5)
  }

  /// A map of constant curves: the gain depends on the position on the active area, whatever crop
  /// and scale show of it.
  @Test func placesAreThoseOfTheActiveArea() throws {
    var dng = Self.dng([1, 1, 3, 3, 1, 1, 3, 3], width: 64, height: 48)
    dng.pixel = { _, _ in [10000, 20000, 14000] }
    dng.fields[50719] = .longs([16, 8])
    dng.fields[50720] = .longs([40, 30])
    for scale: Float in [1, 0.5] {
      var filter = try RAWFilter(data: dng.data)
      filter.scaleFactor = scale
      let mapped = try Self.picture(filter)
      filter.localToneMapAmount = 0
      let plain = try Self.picture(filter)
      let width = Int(40 * scale)
      for x in 0..<width {
        let u = (16 + (Double(x) + 0.5) / Double(scale)) / 64
        #expect(abs(mapped[x].y / plain[x].y - Float(1 + 2 * u)) < 1e-4)
      }
    }
  }

  @Test func aMatrixOfTheCallersReplacesTheProfile() throws {
    var filter = try RAWFilter(data: Self.dng(GainTableMapTests.gains).data)
    filter.colorMatrix = [0.8, -0.2, -0.1, -0.4, 1.2, 0.2, -0.05, 0.2, 0.6]
    #expect(filter.activeProfile == nil && filter.localToneMapAmount == 0)
    #expect(try filter.scenePipeline().profileColor == nil)
  }
}
