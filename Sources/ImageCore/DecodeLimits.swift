/// Limits on what one file may require, checked before memory is allocated.
public struct DecodeLimits: Sendable, Hashable {
  /// Size of the file, bytes.
  public var maxFileBytes: Int
  /// Number of stored pixels.
  public var maxPixels: Int
  /// Bytes that decoding may hold at one time.
  public var maxDecodeBytes: Int

  /// The defaults hold every camera of today with room to spare.
  public init(
    maxFileBytes: Int = 4 << 30, maxPixels: Int = 500_000_000, maxDecodeBytes: Int = 6 << 30
  ) {
    self.maxFileBytes = maxFileBytes
    self.maxPixels = maxPixels
    self.maxDecodeBytes = maxDecodeBytes
  }
}
