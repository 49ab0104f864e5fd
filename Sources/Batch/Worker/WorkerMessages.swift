import Recipes

/// What a worker is asked to do: one JSON object a line on its standard input.
enum WorkerRequest: Sendable, Codable {
  /// Open a raw and say what it is; it stays open until the next.
  case open(path: String)
  /// Develop the raw that is open.
  case develop(WorkerOrder)
  /// Say the SHA-256 of files.
  case digest(paths: [String])

  /// The same, with so many threads at work.
  func on(threads: Int) -> WorkerRequest {
    guard case .develop(var order) = self else { return self }
    order.threads = threads
    return .develop(order)
  }
}

/// How a raw is to be developed.
struct WorkerOrder: Sendable, Codable {
  var recipe: Recipe
  /// See `Developer.keepsPictures`.
  var keepsPictures = true
  /// Where each output goes, by its name in the recipe: files that the batch itself puts in place.
  var staged: [String: String]
  /// Set by the pool, which knows what else is at work.
  var threads = 1
  /// Longest side of the small version for reports; nil for none.
  var thumbnail: Int?
  var colorMatrix: [Double]?
  var lensDatabase: String?
}

/// What a worker says: one JSON object a line on its standard output.
enum WorkerReply: Sendable, Codable {
  /// It waits for the first request.
  case ready(version: String)
  /// The raw is open.
  case opened(SourceFacts)
  /// The share of the development that is done.
  case progress(fraction: Double)
  /// Every output stands in its staged place, on the disk.
  case developed(WorkerResult)
  /// One digest for each path, or why there is none.
  case digests([WorkerDigest])
  /// The request failed; the worker is ready for the next.
  case failed(BatchItem.Failure)
}

/// A digest, or why there is none.
struct WorkerDigest: Sendable, Codable {
  var sha256: String?
  var error: String?
}

/// What came of an order.
struct WorkerResult: Sendable, Codable {
  /// Paths are those of the staged files.
  var outputs: [BatchItem.Output]
  var warnings: [String]
  var fileHeadroom: Float
  var light: BatchItem.Light?
  var thumbnail: String?
  var peakBytes: Int
}
