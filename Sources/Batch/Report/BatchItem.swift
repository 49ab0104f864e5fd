public import Develop
public import ImageCore

/// The result of one source.
public struct BatchItem: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// Developed; every output has its final name.
    case done
    /// Its outputs were up to date.
    case skipped
    /// Not developed; `error` has the reason.
    case failed
    /// Not developed because the run was interrupted; the next run develops it.
    case interrupted
    /// Would be developed: only in dry runs, which leave no report.
    case planned

    /// All values that a stored report may hold: all except `planned`.
    public static let allCases: [Status] = [.done, .skipped, .failed, .interrupted]
  }

  /// Why a source failed.
  public struct Failure: Sendable, Hashable, Codable {
    /// The kind of failure, for programs: `damaged`, `notARaw`, `crashed`, `timeout`, `tooLarge`,
    /// `diskFull` …
    public var code: String
    /// What happened and what to do next, one line.
    public var message: String
    /// What the message advises, for programs; nil for no advice.
    public var remedies: [Remedy]?
  }

  /// One file that was written.
  public struct Output: Sendable, Hashable, Codable {
    /// Name of the output in the recipe.
    public var name: String
    /// Absolute path; names that are not UTF-8 as a `file:` address.
    public var path: String
    /// Name of the output format, as `--format` accepts it.
    public var format: String
    /// Width, pixels.
    public var width: Int
    /// Height, pixels.
    public var height: Int
    /// Length of the file, bytes.
    public var bytes: Int
    /// XXH3 of the file in 128 bits, 32 hexadecimal digits, as `xxh128sum` prints them.
    public var xxh128: String
    /// Brightest pixel as a multiple of reference white (203 cd/m²); 0 of a DNG, as the next two.
    public var contentHeadroom: Float
    /// Maximum content light level, cd/m².
    public var maxCLL: Int
    /// Maximum frame-average light level, cd/m².
    public var maxFALL: Int
  }

  /// Identifier from the manifest, else the source's path below the input folder. Unique within a
  /// batch.
  public var id: String
  /// Absolute path of the source; names that are not UTF-8 as a `file:` address.
  public var input: String
  /// Paths of the merged frames, including its own; nil for a single raw.
  public var frames: [String]?
  /// How it ended.
  public var status: Status
  /// Why it was developed or skipped: `new`, `source changed`, `recipe or engine changed` …
  public var reason: String?
  /// Why it failed; nil for every other status.
  public var error: Failure?
  /// Problems that did not prevent the development, one line each.
  public var warnings: [String] = []
  /// Settings of another program's sidecar that are not applied, one line each; nil for none.
  public var notes: [String]?
  /// The files that were written, sorted by their names in the recipe.
  public var outputs: [Output] = []
  /// Camera maker and model, where known.
  public var camera: String?
  /// Headroom of the raw, as a multiple of reference white.
  public var fileHeadroom: Float?
  /// The distribution of luminance in the first output, measured before encoding; where all
  /// outputs are DNGs, in the raw's preview.
  public var light: LuminanceStatistics?
  /// A thumbnail: a JPEG as a `data:` address.
  public var thumbnail: String?
  /// Wall-clock seconds that it took.
  public var seconds: Double = 0
  /// Peak resident memory of the worker process so far, bytes.
  public var peakBytes: Int?
  /// How far the worker process was confined; nil where none developed it.
  public var isolation: Isolation?
  /// XXH3 of the source in 128 bits, 32 hexadecimal digits.
  public var xxh128: String?
  /// Digest of source, recipe, engine and output paths; the same key means up to date.
  public var key: String?
  /// The manifest entry to develop it again; of sources that failed or were interrupted.
  public var entry: ManifestEntry?
  /// Host name of the machine that developed or tried it.
  public var node: String?
  /// Time of its end, ISO 8601 in UTC; of several reports on one source the latest counts.
  public var time: String?
  /// Time at which a later run found it up to date; in merged reports.
  public var upToDateAt: String?
  /// Other machines that developed it too; in merged reports.
  public var alsoDoneBy: [String]?

  /// An item with neither outputs nor properties.
  public init(id: String, input: String, status: Status) {
    (self.id, self.input, self.status) = (id, input, status)
  }
}

extension BatchItem.Failure {
  /// Decodes a failure; remedies of a later version are left out.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    code = try keys.decode(String.self, forKey: .code)
    message = try keys.decode(String.self, forKey: .message)
    remedies = try? keys.decodeIfPresent([Remedy].self, forKey: .remedies)
  }

  /// A failure; `remedies` is the advice of the message.
  init(_ code: String, _ message: String, remedies: [Remedy] = []) {
    (self.code, self.message) = (code, message)
    self.remedies = remedies.isEmpty ? nil : remedies
  }
}

extension BatchItem {
  /// Decodes an item; missing lists are empty, missing seconds 0.
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
    (xxh128, key, node) = (try given(.xxh128), try given(.key), try given(.node))
    (time, upToDateAt) = (try given(.time), try given(.upToDateAt))
    (alsoDoneBy, notes) = (try given(.alsoDoneBy), try given(.notes))
    frames = try given(.frames)
    isolation = try? given(.isolation)
    entry = try? given(.entry)
  }
}
