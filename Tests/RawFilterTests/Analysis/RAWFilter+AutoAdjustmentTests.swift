import Foundation
import ImageCore
import Testing

@testable import RawFilter

/// Automatic adjustment of simulated raws.
@Suite struct RAWFilterAutoAdjustmentTests {
  private static let key = "isAutomaticAdjustmentEnabled"

  private static func filter(stops: Float = 0) throws -> RAWFilter {
    var filter = try AdjustmentTests.filter()
    filter.baselineExposure = stops
    return filter
  }

  @Test func theSamePictureGivesTheSameValues() throws {
    let filter = try Self.filter()
    let found = try filter.automaticAdjustments()
    #expect(found != AutoAdjustment())
    var other = try Self.filter()
    (other.workers, other.outputPrimaries) = (1, .bt2020)
    (other.scaleFactor, other.extendedDynamicRangeAmount) = (0.5, 1)
    // What it sets is replaced.
    (other.exposure, other.contrast, other.vibrance) = (3, -1, 1)
    #expect(try other.automaticAdjustments() == found)
  }

  @Test func exposureGoesTowardsTheMiddle() throws {
    #expect(try Self.filter(stops: -4).automaticAdjustments().exposure > 0.5)
    #expect(try Self.filter(stops: 4).automaticAdjustments().exposure < -0.5)
  }

  @Test func theToggleIsTheValuesSetByHand() throws {
    var (hand, toggle) = (try Self.filter(stops: -2), try Self.filter(stops: -2))
    try hand.automaticAdjustments().apply(to: &hand.settings)
    toggle.isAutomaticAdjustmentEnabled = true
    let (own, other) = (try hand.outputImage(), try toggle.outputImage())
    #expect(AdjustmentTests.isSame(own.image, other.image))
    let neutral = try Self.filter(stops: -2).outputImage()
    #expect(!AdjustmentTests.isSame(own.image, neutral.image))
    // Found once for all outputs.
    toggle.extendedDynamicRangeAmount = 1
    toggle.scaleFactor = 0.5
    _ = try toggle.outputImage()
    #expect(toggle.picture.cache.found(.automaticAdjustment) == 1)
    // What was set is said, and can be set.
    let note = try #require(other.warnings.last)
    let exposure = RAWProperty.text(hand.exposure)
    #expect(note.hasPrefix("adjusted automatically: exposure \(exposure)"))
    #expect(!own.warnings.contains { $0.hasPrefix("adjusted") })
    let resolved = try toggle.resolvedSettings()
    #expect(AutoAdjustment(resolved) == AutoAdjustment(hand.settings))
    var again = toggle
    again.settings = resolved
    #expect(AutoAdjustment(try again.plan().settings) == AutoAdjustment(hand.settings))
  }

  @Test func whatADocumentGivesStays() throws {
    var filter = try Self.filter(stops: -3)
    func planned(_ values: [String: Any]) throws -> RAWSettings {
      filter.settings = try AdjustmentTests.settings(
        values.merging([Self.key: true, "baselineExposure": -3]) { $1 })
      return try filter.plan().settings
    }
    let free = try planned([:])
    #expect(free.exposure > 0 && !free.isAutomaticAdjustmentEnabled)
    #expect(try planned(["exposure": 0]).exposure == 0)
    #expect(try planned(["exposure": NSNull()]) == free)
    let given = try planned(["contrast": -0.3, "saturation": 0.2])
    #expect(given.look.contrast == -0.3 && given.look.saturation == 0.2 && given.exposure > 0)
  }

  @Test func codingKeepsWhatWasGiven() throws {
    for values in [[:], ["exposure": 0], ["exposure": 0.5, "blacks": 0]] as [[String: Double]] {
      let settings = try AdjustmentTests.settings(
        (values as [String: Any]).merging([Self.key: true]) { $1 })
      let data = try JSONEncoder().encode(settings)
      #expect(try JSONDecoder().decode(RAWSettings.self, from: data) == settings)
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      for name in AutoAdjustment.names { #expect((json[name] != nil) == (values[name] != nil)) }
    }
    var settings = try AdjustmentTests.settings([Self.key: true, "exposure": 0])
    settings.isAutomaticAdjustmentEnabled = false
    #expect(settings == RAWSettings())
  }

  @Test func sceneLinearOutputHasNone() throws {
    var filter = try Self.filter()
    filter.look = .scene
    let error = #expect(throws: RAWError.self) { try filter.automaticAdjustments() }
    #expect(error?.code == .badSetting && error?.setting == Self.key)
    filter.isAutomaticAdjustmentEnabled = true
    #expect(throws: RAWError.self) { try filter.plan() }
  }
}
