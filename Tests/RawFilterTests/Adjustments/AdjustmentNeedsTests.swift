import Foundation
import Testing

@testable import RawFilter

struct AdjustmentNeedsTests {
  /// Descriptions and conditions must not drift apart.
  @Test func whateverIsSaidToHaveNoEffectHasItsNeed() {
    for adjustment in Adjustment.all {
      let text = adjustment.property.interplay
      guard text.localizedLowercase.contains("no effect") else { continue }
      // The file decides, and the size of the output.
      if ["colorNoiseReductionAmount", "outputSharpening"].contains(adjustment.name) { continue }
      #expect(Adjustment.needs[adjustment.name] != nil, "\(adjustment.name): \(text)")
    }
    for name in Adjustment.needs.keys { #expect(Adjustment.named(name) != nil, "\(name)") }
  }

  @Test func theNamesInNeedsAreThoseInTheDescriptions() {
    for (name, need) in Adjustment.needs {
      guard case .on(let other) = need else { continue }
      #expect(Adjustment.named(other) != nil)
      let text = Adjustment.named(name)?.property.interplay ?? ""
      // Each of a group refers to the first.
      let isSaid = text.contains(other) || text.contains("See ")
      #expect(isSaid || name == "extendedDynamicRangeAmount", "\(name): \(text)")
    }
  }
}
