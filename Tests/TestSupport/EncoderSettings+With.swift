public import Formats

extension EncoderSettings {
  /// The same but for what `change` sets.
  public func with(_ change: (inout EncoderSettings) -> Void) -> EncoderSettings {
    var settings = self
    change(&settings)
    return settings
  }
}
