import Foundation
import RawFilter
import Testing

@testable import Develop

/// The table says everything there is, and the page made from it is the one in the repository.
@Suite struct PropertyTableTests {
  @Test func pageIsUpToDate() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/properties.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8) == PropertyTable.markdown,
      "run: rawdev properties --markdown > Docs/properties.md")
  }

  @Test func everySettingIsInTheTable() {
    let settings = Mirror(reflecting: RAWSettings()).children.compactMap(\.label)
    let neutral = [
      "neutralTemperature", "neutralTint", "neutralChromaticity", "neutralLocation",
      "isAutomaticWhiteBalanceEnabled",
    ]
    let expected = Set(settings.filter { $0 != "neutral" } + neutral)
    #expect(Set(RAWProperty.all.map(\.name)) == expected)
    #expect(RAWProperty.all.count == expected.count)
  }

  @Test func optionsAreKebabCase() {
    #expect(RAWProperty.named("isLensCorrectionEnabled")?.option == "lens-correction")
    #expect(RAWProperty.named("boostShadowAmount")?.option == "boost-shadow-amount")
    #expect(
      RAWProperty.named("exposure")?.help == "Stops of light added, -20 to 20 stops. (default: 0)")
    #expect(RAWProperty.named("no such") == nil)
  }
}
