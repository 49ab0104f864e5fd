import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import HDRRender

@Suite struct HDRRendererTests {
  /// Colors of many hues, saturations and levels up to `peak`, one a pixel.
  static func scene(peak: Float) throws -> Image<SceneLinear> {
    try Image(size: PixelSize(width: 96, height: 64), info: .init(peak: peak)) { planes in
      for y in 0..<64 {
        for x in 0..<96 {
          let hue = Float(x) / 96 * 6
          let level = peak * pow(2, -Float(y % 16) * 0.6)
          let saturation = 0.15 + 0.2 * Float(y / 16)
          for (plane, shift) in [Float(0), 4, 2].enumerated() {
            let k = (hue + shift).truncatingRemainder(dividingBy: 6)
            let c = max(0, min(1, abs(k - 3) - 1))
            planes.row(plane, y)[x] = level * (1 - saturation + saturation * c)
          }
        }
      }
    }
  }

  @Test func linearSettingsReturnTheSceneBitForBit() throws {
    let scene = try Self.scene(peak: 5)
    let renderer = HDRRenderer(.init(boostAmount: 0), scenePeak: 5)
    let picture = try Image(rendering: renderer.render(scene))
    for y in 0..<scene.size.height {
      for x in 0..<scene.size.width { #expect(picture[x, y] == scene[x, y]) }
    }
  }

  @Test func isTheSameHoweverItIsCut() throws {
    let renderer = HDRRenderer(.init(extendedDynamicRangeAmount: 0.7), scenePeak: 6)
    let rendition = renderer.render(try Self.scene(peak: 6))
    let full = try Image(rendering: rendition, bandHeight: 64, workers: 1)
    let cut = try Image(rendering: rendition, bandHeight: 5, workers: 2)
    let tile = try PlanarBuffer(size: PixelSize(width: 13, height: 7))
    try rendition.read(PixelRect(x: 71, y: 50, width: 13, height: 7), into: tile)
    for y in 0..<64 { for x in 0..<96 { #expect(full[x, y] == cut[x, y]) } }
    #expect(tile.row(1, 3)[12] == full[83, 53].y)
  }

  @Test func peakAndLimitsHoldForColors() throws {
    for amount in [Float(0), 0.5, 1] {
      let renderer = HDRRenderer(.init(extendedDynamicRangeAmount: amount), scenePeak: 8)
      let picture = try Image(rendering: renderer.render(Self.scene(peak: 8)))
      var statistics = ContentLightStatistics()
      let buffer = try PlanarBuffer(size: picture.size)
      try picture.read(PixelRect(picture.size), into: buffer)
      statistics.add(buffer)
      #expect(abs(statistics.contentHeadroom / pow(8, amount) - 1) < 0.01)
      #expect(statistics.contentHeadroom <= renderer.info.headroom)
    }
  }

  /// One picture at every amount: highlights keep their hue, from the first headroom to all of it.
  @Test(arguments: [Primaries.srgb, .displayP3, .bt2020])
  func highlightsKeepTheirHueWhileTheyBrighten(primaries: Primaries) throws {
    let scene = try Self.scene(peak: 8)
    func drawn(_ amount: Float) throws -> Image<DisplayReferred> {
      let settings = RenderSettings(extendedDynamicRangeAmount: amount, primaries: primaries)
      return try Image(rendering: HDRRenderer(settings, scenePeak: 8).render(scene))
    }
    func lab(_ color: SIMD3<Float>) -> SIMD3<Double> {
      Oklab.lab(primaries.conversion(to: .bt2020) * SIMD3<Double>(color))
    }
    let standard = try drawn(0)
    for amount in [Float(0.25), 0.5, 1] {
      let extended = try drawn(amount)
      var worst = 0.0
      for y in 0..<64 {
        for x in 0..<96 where scene[x, y].max() > 0.5 {
          let (a, b) = (lab(standard[x, y]), lab(extended[x, y]))
          guard min(hypot(a.y, a.z), hypot(b.y, b.z)) > 0.04 else { continue }
          let turn = atan2(a.y * b.z - a.z * b.y, a.y * b.y + a.z * b.z)
          worst = max(worst, abs(turn) * 180 / .pi)
        }
      }
      #expect(worst <= 3, "\(worst) degrees at \(amount)")
    }
  }

  /// What is a midtone is the same at every amount, colors as well.
  @Test func midtonesStayAtEveryAmount() throws {
    let scene = try Self.scene(peak: 8)
    let standard = try Image(rendering: HDRRenderer(.init(), scenePeak: 8).render(scene))
    for amount in [Float(0.25), 0.5, 1] {
      let settings = RenderSettings(extendedDynamicRangeAmount: amount)
      let extended = try Image(rendering: HDRRenderer(settings, scenePeak: 8).render(scene))
      for y in 0..<64 {
        for x in 0..<96 where scene[x, y].max() <= 0.55 {
          let change = log2(extended[x, y].max() / standard[x, y].max())
          #expect(abs(change) <= 0.01, "\(scene[x, y]) at \(amount)")
        }
      }
    }
  }

  /// Blue lamps, as a raw's scene holds them, have one hue in Oklab at each amount of headroom and
  /// each level.
  @Test func blueLampsKeepTheirHue() throws {
    for lamp in [SIMD3<Float>(0.06, 0.01, 1), SIMD3(0.09, 0.02, 1), SIMD3(0.12, 0.02, 1)] {
      func hue(_ color: SIMD3<Float>) -> Double {
        let lab = Oklab.lab(SIMD3<Double>(color))
        return atan2(lab.z, lab.y) * 180 / .pi
      }
      for amount in [Float(0), 0.5, 1] {
        let renderer = HDRRenderer(
          .init(extendedDynamicRangeAmount: amount, toneLook: .faithful), scenePeak: 4)
        for level in [Float(0.05), 0.2, 0.7, 1, 2, 4] {
          let drawn = OneColorRow.run(lamp * level) { rows in
            let buffer = certain { try PlanarBuffer(size: PixelSize(width: 8, height: 1)) }
            for plane in 0..<3 { buffer.row(plane, 0).update(from: rows[plane], count: 8) }
            renderer.render(buffer)
            for plane in 0..<3 { rows[plane].update(from: buffer.row(plane, 0), count: 8) }
          }
          #expect(abs(hue(drawn) - hue(lamp)) <= 3, "\(lamp), \(level) at \(amount)")
        }
      }
    }
  }

  @Test func primariesAreConverted() throws {
    let renderer = HDRRenderer(
      .init(boostAmount: 0, primaries: .displayP3), scenePeak: 1)
    let white = try Image<SceneLinear>(
      size: PixelSize(width: 3, height: 1), info: .init(peak: 1)
    ) { planes in
      for plane in 0..<3 { for x in 0..<3 { planes.row(plane, 0)[x] = 0.5 } }
    }
    let picture = try Image(rendering: renderer.render(white))
    for c in [picture[0, 0].x, picture[1, 0].y, picture[2, 0].z] { #expect(abs(c - 0.5) < 1e-6) }
    #expect(picture.info.primaries == .displayP3)
  }
}
