import Develop
import ImageCore
import RawFilter
import Readers
import Recipes

/// A request to a worker: one JSON object on a line of its standard input.
enum WorkerRequest: Sendable, Codable {
  /// Open all files from here on within these limits; the only request without a reply.
  case limits(DecodeLimits)
  /// Open a raw and reply with its properties; it stays open for one `develop`.
  case open(path: String)
  /// Open the frames of a bracket and reply with the properties of the first; they stay open for
  /// one `develop`.
  case merge(paths: [String])
  /// Develop the raw that is open.
  case develop(WorkerOrder)
  /// Measure what the open raw contributes to a series.
  case measure(WorkerMeasurement)
  /// Compute the SHA-256 of files.
  case digest(paths: [String])
  /// Open the only raw of this worker; where it `isHandedOver`, the file that came with the
  /// request, which `path` then only names. Its digest is not needed.
  case openRaw(path: String, isHandedOver: Bool)
  /// Open a finished picture in the same way and reply with its properties, for one `convert`.
  case openPicture(path: String, isHandedOver: Bool, policy: ReadPolicy)
  /// Convert the picture that is open.
  case convert(ConvertOrder)

  /// Opens `source`.
  static func open(_ source: RawSource) -> WorkerRequest {
    guard !source.frames.isEmpty else { return .open(path: source.path.text) }
    let others = source.frames.filter { $0 != source.path }
    return .merge(paths: ([source.path] + others).map(\.text))
  }

  /// The same request for `threads` threads.
  func on(threads: Int) -> WorkerRequest {
    switch self {
    case .develop(var order):
      order.threads = threads
      return .develop(order)
    case .measure(var order):
      order.threads = threads
      return .measure(order)
    default: return self
    }
  }

  /// Whether `reply` answers it, with exactly what was asked for. A worker that a hostile file has
  /// taken over may reply anything at any time.
  func isAnswered(by reply: WorkerReply) -> Bool {
    switch (self, reply) {
    case (.limits, _): false
    case (_, .failed): true
    case (.open, .opened), (.merge, .opened), (.openRaw, .opened): true
    case (.openPicture, .openedPicture), (.convert, .converted): true
    case (.measure, .measured): true
    case (.digest(let paths), .digests(let digests)): digests.count == paths.count
    case (.develop(let order), .developed(let result)):
      result.names(isReported: order.isReported ?? false).sorted() == order.staged.keys.sorted()
    default: false
    }
  }

  /// The files that its answer is written to, in the order in which they are passed.
  var outputs: [String] {
    switch self {
    case .develop(let order): order.staged.sorted { $0.key < $1.key }.map(\.value)
    case .convert(let order): [order.target]
    default: []
    }
  }
}

/// How a raw is to be developed.
struct WorkerOrder: Sendable, Codable {
  var recipe: Recipe
  /// See `Developer.keepsPictures`.
  var keepsPictures = true
  /// Paths of the staged files by output name. The batch opens them, passes and renames them; the
  /// worker needs the paths only for messages.
  var staged: [String: String]
  /// Set by the pool.
  var threads = 1
  /// Longest side of the thumbnail, pixels; nil for none.
  var thumbnail: Int?
  var colorMatrix: [Double]?
  var lensDatabase: String?
  /// See `Developer.sidecarDescription`.
  var description: String?
  /// Whether the result has the reports of `Developer` instead of digests and thumbnail.
  var isReported: Bool?
}

/// Settings for measuring a raw for a series.
struct WorkerMeasurement: Sendable, Codable {
  /// Of these the camera profile and the version count.
  var settings: RAWSettings
  var colorMatrix: [Double]?
  /// Set by the pool.
  var threads = 1
}

/// A reply of a worker: one JSON object on a line of its standard output.
enum WorkerReply: Sendable, Codable {
  /// Sent once, before the first request; how far the worker is confined.
  case ready(version: String, isolation: Isolation?)
  /// The raw is open.
  case opened(SourceInfo)
  /// The fraction of the development that is done, 0…1.
  case progress(fraction: Double)
  /// Every staged file is written and synced.
  case developed(WorkerResult)
  /// What the raw contributes to a series, and how reliable its preview is, 0…2.
  case measured(SeriesFindings, trust: Int)
  /// One digest for each path, or the reason for its absence.
  case digests([WorkerDigest])
  /// The picture is open.
  case openedPicture(FinishedInfo)
  /// The picture is converted.
  case converted(PictureReport)
  /// The request failed; the worker is ready for the next.
  case failed(BatchItem.Failure)
}

/// A digest, or the reason for its absence.
struct WorkerDigest: Sendable, Codable {
  var xxh128: String?
  var error: String?
}

/// The result of a `develop` request.
struct WorkerResult: Sendable, Codable {
  /// With the paths of the staged files.
  var outputs: [BatchItem.Output]
  var warnings: [String]
  var fileHeadroom: Float
  var light: LuminanceStatistics?
  var thumbnail: String?
  var peakBytes: Int
  /// How far the worker is confined.
  var isolation: Isolation?
  /// Only where they were asked for.
  var reports: [DevelopReport]?

  /// The names of the outputs that it tells of.
  fileprivate func names(isReported: Bool) -> [String] {
    isReported ? (reports ?? []).map(\.name) : outputs.map(\.name)
  }
}
