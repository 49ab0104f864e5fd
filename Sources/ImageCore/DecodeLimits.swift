/// How much one file may ask for, checked before memory is taken.
public struct DecodeLimits: Sendable, Hashable {
  /// Bytes of the file itself.
  public var maxFileBytes: Int
  /// Pixels of the stored picture.
  public var maxPixels: Int
  /// Bytes that decoding may take at a time.
  public var maxDecodeBytes: Int

  /// These limits; the defaults hold every camera of today with room to spare.
  public init(
    maxFileBytes: Int = 4 << 30, maxPixels: Int = 500_000_000, maxDecodeBytes: Int = 6 << 30
  ) {
    self.maxFileBytes = maxFileBytes
    self.maxPixels = maxPixels
    self.maxDecodeBytes = maxDecodeBytes
  }
}
