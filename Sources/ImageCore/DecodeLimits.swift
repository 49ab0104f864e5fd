/// What an untrusted file may cost. Every reader takes these limits, checks the first five before
/// it allocates memory or starts work, and throws an error whose code is `tooLarge` and whose
/// message names the limit.
///
/// A picture that is exactly as large as a limit is read. Docs/limits.md lists what each limit
/// bounds in every format, and what is bounded by the format itself.
public struct DecodeLimits: Sendable, Hashable, Codable {
  /// Size of the file, bytes.
  public var maxFileBytes: Int
  /// Number of stored pixels.
  public var maxPixels: Int
  /// Bytes that decoding may hold at one time.
  public var maxDecodeBytes: Int
  /// Entries that one table of the file may list: directory entries, strips or tiles, boxes, items
  /// and their properties, segments, chunks, tags of a profile, opcodes, elements and attributes of
  /// an XMP packet, values of a document with its aliases expanded.
  public var maxItems: Int
  /// Levels of nesting: directories, items made of items, elements of a packet, values of a
  /// document. A reader may use stack for each level, so a few hundred at most.
  public var maxNesting: Int
  /// Seconds from the opening of the file after which decoding stops at the next strip, tile, band
  /// of rows or item; nil for none.
  ///
  /// None by default: an opened file may be held for hours and decoded then, and decoding time
  /// depends on the machine and its load. It is for programs that open, decode and close. Between
  /// two checks a system library may go on working; what must end is decoded in a process that can
  /// be killed, as `Batch`, `IsolatedDeveloper` and `--timeout` do (Docs/decisions/0026).
  public var maxSeconds: Double?

  /// The defaults: the limits for this machine's memory, up to 8 GiB, which suffice for every
  /// current camera. Computed once.
  public static let standard = DecodeLimits(memoryBytes: min(Machine.memoryBytes, 8 << 30))

  /// ``standard`` except for the given values.
  public init(
    maxFileBytes: Int = standard.maxFileBytes, maxPixels: Int = standard.maxPixels,
    maxDecodeBytes: Int = standard.maxDecodeBytes, maxItems: Int = standard.maxItems,
    maxNesting: Int = standard.maxNesting, maxSeconds: Double? = nil
  ) {
    (self.maxFileBytes, self.maxPixels) = (maxFileBytes, maxPixels)
    (self.maxDecodeBytes, self.maxItems) = (maxDecodeBytes, maxItems)
    (self.maxNesting, self.maxSeconds) = (maxNesting, maxSeconds)
  }

  /// The limits for `memoryBytes` of memory: three quarters for decoding, and one pixel per 8
  /// bytes, twice what a development in bands takes, up to the value for 4 GiB; above 8 GiB one per
  /// 16.
  public init(memoryBytes: Int) {
    let memory = max(memoryBytes, 0)
    self.init(
      maxFileBytes: 4 << 30, maxPixels: max(min(memory / 8, 1 << 29), memory / 16),
      maxDecodeBytes: memory / 4 * 3,
      maxItems: 1 << 18, maxNesting: 64)
  }

  /// These limits, with files of at most `bytes`.
  package func limitingFiles(to bytes: Int) -> DecodeLimits {
    var limits = self
    limits.maxFileBytes = min(maxFileBytes, bytes)
    return limits
  }
}
