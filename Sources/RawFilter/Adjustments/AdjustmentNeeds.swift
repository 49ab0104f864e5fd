/// What a property requires to have an effect, as stated in its row: of the file, and of other
/// properties.
extension Adjustment {
  /// The files on which a property has an effect.
  struct Support: Sendable {
    let includes: @Sendable (RAWFilter) -> Bool
    /// Why it has no effect on others.
    let reason: String

    init(
      else reason: String = "this file has no colors",
      _ includes: @escaping @Sendable (RAWFilter) -> Bool
    ) {
      (self.includes, self.reason) = (includes, reason)
    }

    static let colors = Support { $0.hasColor }
    static let white = Support { $0.isWhiteBalanceSupported }
    static let temperature = Support(
      else: "the file has no colors, or its white is not a plausible illuminant"
    ) { $0.isNeutralTemperatureSupported }
    static let lens = Support(
      else: "neither the file nor the lens database describes this lens"
    ) { $0.isLensCorrectionSupported }
  }

  /// What another property must be.
  enum Need: Sendable, Equatable {
    /// A number above 0, a toggle that is on.
    case on(String)
    /// Any value.
    case given(String)
    /// One of these numbers above 0.
    case any([String])
    /// A picture of the native size, or nearly so.
    case demosaiced
    /// An exposure that is not derived from the file.
    case fixedExposure

    /// What to do, with property names mapped by `called`.
    fileprivate func reason(_ called: (String) -> String) -> String {
      switch self {
      case .on(let name) where RAWProperty.named(name)?.kind == .toggle: "needs \(called(name)) on"
      case .on(let name): "needs \(called(name)) above 0"
      case .given(let name): "needs \(called(name))"
      case .any(let names): "needs one of \(names.map(called).joined(separator: ", ")) above 0"
      case .demosaiced:
        "needs a \(called("scaleFactor")) above 0.5, and \(called("isDraftModeEnabled")) off"
      case .fixedExposure: "needs \(called("look")) scene, or \(called("baselineExposure"))"
      }
    }
  }
}

extension RAWFilter {
  /// Why the property `name` has no effect on this file at these settings; nil if it has one, as
  /// far as is known without decoding. `called` maps property names in the text.
  package func reasonWithoutEffect(
    _ name: String, called: (String) -> String = { $0 }
  ) -> String? {
    guard let adjustment = Adjustment.named(name) else { return "there is no such property" }
    if let support = adjustment.support, !support.includes(self) { return support.reason }
    guard let need = adjustment.needs, !isMet(need) else { return nil }
    return need.reason(called)
  }

  /// Whether the picture has colors.
  package var hasColors: Bool { hasColor }

  private func isMet(_ need: Adjustment.Need) -> Bool {
    func number(_ name: String) -> Float {
      Adjustment.named(name)?.number(in: self) ?? 0
    }
    return switch need {
    case .on(let name): number(name) != 0
    case .any(let names): names.contains { number($0) > 0 }
    case .given(let name): Adjustment.named(name)?.isGiven(settings) ?? false
    case .demosaiced: !isReduced
    case .fixedExposure: settings.isScene || settings.baselineExposure != nil
    }
  }
}
