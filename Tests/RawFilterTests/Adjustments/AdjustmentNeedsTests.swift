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
      #expect(adjustment.needs != nil, "\(adjustment.name): \(text)")
    }
  }

  @Test func theNamesInNeedsAreThoseInTheDescriptions() {
    for adjustment in Adjustment.all {
      let (name, text) = (adjustment.name, adjustment.property.interplay)
      switch adjustment.needs {
      case .on(let other):
        #expect(Adjustment.named(other) != nil)
        // Each of a group refers to the first.
        let isSaid = text.contains(other) || text.contains("See ")
        #expect(isSaid || name == "extendedDynamicRangeAmount", "\(name): \(text)")
      case .given(let other): #expect(Adjustment.named(other) != nil, "\(name)")
      case .any(let others): #expect(others.allSatisfy { Adjustment.named($0) != nil }, "\(name)")
      case .demosaiced, .fixedExposure, nil: break
      }
    }
  }
}
