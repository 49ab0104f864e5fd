import Foundation
import ImageCore
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct RAWSettingsSceneTests {
  private func scene(_ change: (inout RAWSettings) -> Void = { _ in }) -> RAWSettings {
    var settings = RAWSettings()
    settings.look.base = .scene
    change(&settings)
    return settings
  }

  @Test func everythingIsFixed() throws {
    let resolved = scene().resolvedForScene
    #expect(!resolved.isScene && resolved.boostAmount == 0 && resolved.baselineExposure == 0)
    #expect(resolved.localToneMapAmount == 0 && resolved.sharpnessAmount == 0)
    #expect(resolved.luminanceNoiseReductionAmount == 0)
    #expect(resolved.colorNoiseReductionAmount == 0 && !resolved.isGamutMappingEnabled)
    #expect(resolved.resolvedForScene == resolved)
    #expect(RAWSettings().resolvedForScene == RAWSettings())
    let given = scene {
      ($0.exposure, $0.baselineExposure, $0.sharpnessAmount) = (1, 0.5, 0.3)
    }
    try given.validate()
    #expect(given.resolvedForScene.baselineExposure == 0.5)
    #expect(given.resolvedForScene.sharpnessAmount == 0.3)
  }

  /// Settings that contradict scene-linear output are rejected by name; consistent ones are not.
  @Test func looksBesideItAreRefused() throws {
    for (name, change) in [
      ("dehazeAmount", { $0.dehazeAmount = -0.5 }),
      ("contrastAmount", { $0.contrastAmount = 0.5 }),
      ("detailAmount", { $0.detailAmount = 0.1 }),
      ("localToneMapAmount", { $0.localToneMapAmount = 0.5 }),
      ("boostAmount", { $0.boostAmount = 0.5 }),
      ("saturation", { $0.look.saturation = 0.2 }),
      ("grainAmount", { $0.look.grain.amount = 0.2 }),
      ("isAutomaticWhiteBalanceEnabled", { $0.neutral = .automatic }),
    ] as [(String, (inout RAWSettings) -> Void)] {
      let error = #expect(throws: RAWError.self) { try scene(change).validate() }
      #expect(error?.message.contains(name) == true && error?.setting == name)
    }
    try scene {
      ($0.boostAmount, $0.localToneMapAmount, $0.isGamutMappingEnabled) = (0, 0, false)
      $0.neutral = .temperature(kelvin: 5000, tint: nil)
    }.validate()
  }

  /// The same pixels as by the values that it implies; camera RGB needs one of both.
  @Test func pixelsAreThoseOfTheValues() throws {
    var sensor = SimulatedSensor()
    sensor.defectCount = 0
    let writer = sensor.expose(size: PixelSize(width: 64, height: 48)) { x, y in
      SIMD3(repeating: 0.1 + 0.4 * Float(x) / 64)
    }
    let data = Data(try writer.bytes)
    var word = try RAWFilter(data: data)
    var values = word
    word.settings = scene()
    values.settings = scene().resolvedForScene
    for primaries in [Primaries.bt2020, .acesAP1, .camera] {
      (word.outputPrimaries, values.outputPrimaries) = (primaries, primaries)
      let (a, b) = (try word.outputImage().image, try values.outputImage().image)
      for y in 0..<a.size.height {
        for x in 0..<a.size.width where a[x, y] != b[x, y] { Issue.record("\(x), \(y) differ") }
      }
    }
    values.settings = RAWSettings()
    #expect(throws: RAWError.self) { try values.outputImage() }
  }

  /// Camera RGB becomes BT.2020 by the profile's matrix, and a gray of the scene is gray in it.
  @Test func cameraChannelsAreBehindTheWhiteBalance() throws {
    var sensor = SimulatedSensor()
    sensor.defectCount = 0
    let writer = sensor.expose(size: PixelSize(width: 64, height: 48)) { x, y in
      SIMD3(0.2 + 0.3 * Float(x) / 64, 0.3, 0.4 - 0.2 * Float(y) / 48)
    }
    var filter = try RAWFilter(data: Data(try writer.bytes))
    filter.settings = scene { $0.neutral = .temperature(kelvin: 4500, tint: nil) }
    let white = try filter.resolvedWhite()
    let profile = try #require(filter.profile)
    filter.outputPrimaries = .camera
    let camera = try filter.outputImage().image
    filter.outputPrimaries = .bt2020
    let color = try filter.outputImage().image
    let matrix = profile.balancedToBT2020(balance: profile.neutral(for: white), white: white)
    let gray = matrix * SIMD3(1, 1, 1)
    #expect(max(gray.max() - 1, 1 - gray.min()) < 1e-3)
    for y in 0..<camera.size.height {
      for x in 0..<camera.size.width {
        let off = SIMD3<Float>(matrix * SIMD3<Double>(camera[x, y])) - color[x, y]
        #expect(max(off.max(), -off.min()) < 1e-5)
      }
    }
  }
}
