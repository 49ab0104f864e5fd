/// What became of one source.
public struct BatchItem: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// Developed; every output stands under its name.
    case done
    /// Up to date before; nothing was done.
    case skipped
    /// Not developed, for the reason in `error`.
    case failed
    /// Left for the next run.
    case interrupted
    /// Would be developed: the word of a dry run, which leaves no report.
    case planned

    /// Those of reports.
    public static let allCases: [Status] = [.done, .skipped, .failed, .interrupted]
  }

  /// Why not.
  public struct Failure: Sendable, Hashable, Codable {
    /// The kind, for programs: `damaged`, `notARaw`, `crashed`, `timeout`, `tooLarge`, `diskFull` …
    public var code: String
    /// What happened and what to do, one line.
    public var message: String

    /// A failure of this kind.
    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
  }

  /// One file that was written.
  public struct Output: Sendable, Hashable, Codable {
    /// Name in the recipe.
    public var name: String
    /// Where it stands.
    public var path: String
    /// Name of its format.
    public var format: String
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Bytes of the file.
    public var bytes: Int
    /// SHA-256 of the file, hexadecimal.
    public var sha256: String
    /// Brightest pixel as a multiple of reference white (203 cd/m²).
    public var contentHeadroom: Float
    /// Brightest pixel, cd/m².
    public var maxCLL: Int
    /// Average light level, cd/m².
    public var maxFALL: Int

    /// An output with all its facts.
    public init(
      name: String, path: String, format: String, width: Int, height: Int, bytes: Int,
      sha256: String, contentHeadroom: Float, maxCLL: Int, maxFALL: Int
    ) {
      (self.name, self.path, self.format) = (name, path, format)
      (self.width, self.height, self.bytes, self.sha256) = (width, height, bytes, sha256)
      (self.contentHeadroom, self.maxCLL, self.maxFALL) = (contentHeadroom, maxCLL, maxFALL)
    }
  }

  /// How its light is spread, measured on the first output before it was encoded.
  public struct Light: Sendable, Hashable, Codable {
    /// Pixels by luminance: 64 bins of a quarter stop from 2⁻¹⁰ to 2⁶ of reference white, in parts of
    /// 100,000; the first holds all that is darker, the last all that is brighter.
    public var histogram: [Int]
    /// Share of pixels with no light in any channel, 0…1.
    public var blackShare: Float
    /// Share of pixels brighter than reference white, 0…1.
    public var aboveWhiteShare: Float
    /// Share of pixels with a channel at the most that the rendition holds, 0…1.
    public var clippedShare: Float

    /// Light with all its facts.
    public init(
      histogram: [Int], blackShare: Float, aboveWhiteShare: Float, clippedShare: Float
    ) {
      (self.histogram, self.blackShare) = (histogram, blackShare)
      (self.aboveWhiteShare, self.clippedShare) = (aboveWhiteShare, clippedShare)
    }
  }

  /// Identifier from the manifest, or the source's path within the folder given.
  public var id: String
  /// The source.
  public var input: String
  /// How it ended.
  public var status: Status
  /// Why it was done or skipped: `new`, `source changed`, `recipe changed`, `output missing` …
  public var reason: String?
  /// Why it failed.
  public var error: Failure?
  /// What was not as it should be.
  public var warnings: [String] = []
  /// What of another program's sidecar was not taken; nil for nothing.
  public var notes: [String]?
  /// The files, in the order of their names in the recipe.
  public var outputs: [Output] = []
  /// Camera and lens in words, where known.
  public var camera: String?
  /// Headroom that the raw holds, as a multiple of reference white.
  public var fileHeadroom: Float?
  /// How its light is spread.
  public var light: Light?
  /// A small version for people, a JPEG as a `data:` address.
  public var thumbnail: String?
  /// Seconds by the clock.
  public var seconds: Double = 0
  /// Most memory that the worker had taken by its end, bytes.
  public var peakBytes: Int?
  /// SHA-256 of the source, hexadecimal.
  public var sha256: String?
  /// What source, recipe, engine and outputs come to: what is up to date has the same.
  public var key: String?
  /// What a manifest says of it, so that it can be done again; of sources that failed or were left.
  public var entry: ManifestEntry?
  /// Machine on which it was done.
  public var node: String?
  /// When it ended, ISO 8601 in UTC: of several reports the later counts.
  public var time: String?
  /// When a later run found what was done up to date; in merged reports.
  public var upToDateAt: String?
  /// Other machines that did the same work once more; in merged reports.
  public var alsoDoneBy: [String]?

  /// An item of which nothing more is known.
  public init(id: String, input: String, status: Status) {
    (self.id, self.input, self.status) = (id, input, status)
  }
}

extension BatchItem {
  /// Reads an item; lists and seconds that are not given are empty and 0.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    func given<T: Decodable>(_ key: CodingKeys) throws -> T? {
      try keys.decodeIfPresent(T.self, forKey: key)
    }
    (id, input) = (try keys.decode(String.self, forKey: .id), try given(.input) ?? "")
    status = try keys.decode(Status.self, forKey: .status)
    (reason, error) = (try given(.reason), try given(.error))
    (warnings, outputs) = (try given(.warnings) ?? [], try given(.outputs) ?? [])
    (camera, fileHeadroom) = (try given(.camera), try given(.fileHeadroom))
    (light, thumbnail) = (try given(.light), try given(.thumbnail))
    (seconds, peakBytes) = (try given(.seconds) ?? 0, try given(.peakBytes))
    (sha256, key, node) = (try given(.sha256), try given(.key), try given(.node))
    (time, upToDateAt) = (try given(.time), try given(.upToDateAt))
    (alsoDoneBy, notes) = (try given(.alsoDoneBy), try given(.notes))
    entry = try? given(.entry)
  }
}
