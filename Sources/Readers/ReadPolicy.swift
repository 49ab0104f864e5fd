/// How a damaged finished picture is read. ``FileDamage`` lists the kinds of damage, and what each
/// policy does with them.
public enum ReadPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Whatever the decoder returns is used, and a note says what is missing: for viewing. Nothing is
  /// decoded only to find damage.
  case show
  /// A picture with a missing part is refused: for processing it further.
  case whole

  /// The outcome for this damage.
  package func outcome(of damage: FileDamage) -> FileDamage.Outcome {
    switch self {
    case .show: damage.rule.show
    case .whole: damage.rule.whole
    }
  }

  /// Whether a picture with such damage is read.
  func reads(_ damage: FileDamage) -> Bool { outcome(of: damage) != .refused }
}
