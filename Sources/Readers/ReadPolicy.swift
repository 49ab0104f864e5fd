/// What becomes of a finished picture whose file is damaged. ``FileDamage`` lists the kinds of
/// damage, and what each policy does with them.
public enum ReadPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// What the decoder gives is shown, and a note says what is missing: for people who look at it.
  /// Nothing is decoded only to find damage.
  case show
  /// A picture of which a part is missing is refused: for files that are made of it.
  case whole

  /// What it does with such damage.
  package func outcome(of damage: FileDamage) -> FileDamage.Outcome {
    switch self {
    case .show: damage.rule.show
    case .whole: damage.rule.whole
    }
  }

  /// Whether a picture with such damage is read.
  func reads(_ damage: FileDamage) -> Bool { outcome(of: damage) != .refused }
}
