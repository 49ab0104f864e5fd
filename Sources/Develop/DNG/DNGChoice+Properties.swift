package import RawFilter
package import Recipes

/// The properties of a recipe on which a DNG depends. A DNG is developed again, so the camera's
/// colors and all later stages are no part of it: stored samples depend on no property,
/// demosaiced ones on the properties of the stages up to the demosaic.
extension DNGChoice.Samples {
  /// Whether the property of this name has an effect on such samples.
  package func dependOn(_ name: String) -> Bool {
    Adjustment.named(name).map(dependOn) ?? false
  }

  private func dependOn(_ adjustment: Adjustment) -> Bool {
    switch (self, adjustment.stage) {
    case (.stored, _): return false
    case (_, .decode), (_, .highlights), (_, .demosaic): return true
    case (.scene, .noise), (.scene, .lens), (.scene, .defringe): return true
    default:
      // Lateral color that is found in the picture is corrected before the demosaic.
      return ["decoderVersion", "isLateralColorCorrectionEnabled"].contains(adjustment.name)
    }
  }

  /// The relevant properties of `settings`, all others at their defaults.
  package func relevant(of settings: RAWSettings) -> RAWSettings {
    settings.resetting { !dependOn($0) }
  }
}

extension Recipe {
  /// This recipe without settings on which no output depends: DNGs are not made again when
  /// only the exposure changes.
  package var effective: Recipe {
    guard !outputs.isEmpty, outputs.values.allSatisfy({ !$0.format.isDeveloped }) else {
      return self
    }
    var recipe = self
    let samples = Set(outputs.values.map { $0.dng.samples ?? .stored })
    let widest = [DNGChoice.Samples.scene, .linear].first(where: samples.contains) ?? .stored
    recipe.raw = widest.relevant(of: raw)
    recipe.render = Rendering()
    return recipe
  }

  /// A note on properties that documents and options set and on which no output depends, as all are
  /// DNGs; nil without any. Properties from the raw's own XMP are in the DNG's XMP, too, and are
  /// not reported.
  func unusedProperties(_ resolved: RecipeResolver.Resolved) -> String? {
    guard !outputs.isEmpty, outputs.values.allSatisfy({ !$0.format.isDeveloped }) else {
      return nil
    }
    var isEmbedded = false
    if case .embedded? = resolved.sidecars.xmp?.origin { isEmbedded = true }
    let names = resolved.layered.entries.compactMap { entry -> String? in
      guard case .key("raw")? = entry.path.steps.first, entry.path.steps.count > 1,
        case .key(let name) = entry.path.steps[1], entry.value != .null,
        entry.origin.kind != .xmp || !isEmbedded,
        !outputs.values.contains(where: { ($0.dng.samples ?? .stored).dependOn(name) })
      else { return nil }
      return name
    }
    let unique = Set(names).sorted()
    guard !unique.isEmpty else { return nil }
    let shown = unique.count > 3 ? unique.prefix(3) + ["\(unique.count - 3) more"] : unique[...]
    return "a DNG is made to be developed again: \(shown.joined(separator: ", ")) "
      + (unique.count > 1 ? "have" : "has") + " no effect on it"
  }
}
