/// Range check of a numeric setting. One message for all: the setting, its value, and the accepted
/// range.
extension ClosedRange<Float> {
  /// Why `value` is not accepted for `name`; nil if it is.
  package func refusal(of value: Float, _ name: String) -> String? {
    guard value.isFinite, contains(value) else {
      return "\(name) is \(value); it takes \(lowerBound) to \(upperBound)"
    }
    return nil
  }

  /// Throws that message as `.badSetting`, for stages initialized with numbers.
  package func check(_ value: Float, _ name: String) throws(RAWError) {
    if let message = refusal(of: value, name) { throw RAWError(.badSetting, .settings, message) }
  }
}
