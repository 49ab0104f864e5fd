/// What one file may cost that anybody may have made: every reader takes these limits, checks the
/// first five before memory is taken and work is begun, and throws an error whose code is
/// `tooLarge` and whose message names the limit.
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
  /// Things that one table of the file may list: entries of directories, strips or tiles, boxes,
  /// items and what belongs to them, segments, chunks, tags of a profile, opcodes, elements and
  /// attributes of an XMP packet, values of a document with its aliases expanded.
  public var maxItems: Int
  /// Levels of things within things: directories, items made of items, elements of a packet, values
  /// of a document. A reader may take stack for each, so no more than some hundreds.
  public var maxNesting: Int
  /// Seconds from the opening of the file after which decoding stops at the next strip, tile, band
  /// of rows or item; nil for none.
  ///
  /// None by default: an opened file may be kept for hours and decoded then, how long decoding
  /// takes depends on the machine and on what else it does, and so would whether a file is read. It
  /// is for programs that open, decode and close. Between two such checks a library of the system
  /// may work on; what must end is decoded in a process that can be ended, as `Batch`,
  /// `IsolatedDeveloper` and `--timeout` do (Docs/decisions/0026).
  public var maxSeconds: Double?

  /// The defaults: those for the memory of this machine, up to 8 GiB, which hold every camera of
  /// today with room to spare. Computed once.
  public static let standard = DecodeLimits(memoryBytes: min(Machine.memoryBytes, 8 << 30))

  /// ``standard`` but for what is given.
  public init(
    maxFileBytes: Int = standard.maxFileBytes, maxPixels: Int = standard.maxPixels,
    maxDecodeBytes: Int = standard.maxDecodeBytes, maxItems: Int = standard.maxItems,
    maxNesting: Int = standard.maxNesting, maxSeconds: Double? = nil
  ) {
    (self.maxFileBytes, self.maxPixels) = (maxFileBytes, maxPixels)
    (self.maxDecodeBytes, self.maxItems) = (maxDecodeBytes, maxItems)
    (self.maxNesting, self.maxSeconds) = (maxNesting, maxSeconds)
  }

  /// The limits where `memoryBytes` of memory may be taken: three quarters of them for decoding,
  /// and a pixel for each 8, twice what a development in bands takes, up to those of 4 GiB; of more
  /// than 8 GiB one for each 16.
  public init(memoryBytes: Int) {
    let memory = max(memoryBytes, 0)
    self.init(
      maxFileBytes: 4 << 30, maxPixels: max(min(memory / 8, 1 << 29), memory / 16),
      maxDecodeBytes: memory / 4 * 3,
      maxItems: 1 << 18, maxNesting: 64)
  }

  /// These, with files of at most `bytes`.
  package func limitingFiles(to bytes: Int) -> DecodeLimits {
    var limits = self
    limits.maxFileBytes = min(maxFileBytes, bytes)
    return limits
  }
}
