public import Formats

extension EncoderSettings {
  /// The same except for what `change` sets.
  public func with(_ change: (inout EncoderSettings) -> Void) -> EncoderSettings {
    var settings = self
    change(&settings)
    return settings
  }
}
