/// The check of a number that a setting takes. One message for all: which setting, its value, and
/// what it takes.
extension ClosedRange<Float> {
  /// Why `name`, a setting that takes these numbers, does not take `value`; nil where it does.
  package func refusal(of value: Float, _ name: String) -> String? {
    guard value.isFinite, contains(value) else {
      return "\(name) is \(value); it takes \(lowerBound) to \(upperBound)"
    }
    return nil
  }

  /// Throws that as a `.badSetting`: for stages that are made of numbers.
  package func check(_ value: Float, _ name: String) throws(RAWError) {
    if let message = refusal(of: value, name) { throw RAWError(.badSetting, .settings, message) }
  }
}
