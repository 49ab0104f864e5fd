public import Formats
import Foundation
import ImageCore
import RawFilter
public import Recipes

/// A raw to develop, with its recipe and outputs.
public struct DevelopJob: Sendable, Identifiable {
  /// Identifier in outcomes and updates; by default one that no other job has.
  public var id: String
  /// Path of the raw.
  public var input: String
  /// Where the outputs go, by their names in the recipe; those that are missing are not written.
  public var outputs: [String: OutputDestination]
  /// The recipe.
  public var recipe: Recipe

  /// A job that develops `input` into the outputs of `recipe`.
  public init(
    id: String? = nil, input: String, outputs: [String: OutputDestination], recipe: Recipe
  ) {
    (self.id, self.input, self.outputs, self.recipe) = (
      id ?? UUID().uuidString, input, outputs, recipe
    )
  }

  /// A job that develops `input` into the first output of `recipe`, at `output`.
  public init(
    id: String? = nil, input: String, output: OutputDestination, recipe: Recipe = Recipe()
  ) {
    var single = recipe
    single.outputs = [Recipe.onlyOutput: recipe.output]
    self.init(
      id: id, input: input, outputs: [Recipe.onlyOutput: output], recipe: single)
  }
}

/// A job with its result.
public struct DevelopOutcome: Sendable {
  /// The job.
  public let job: DevelopJob
  /// A report for each output in the order of their names, or the error.
  public let result: Result<[DevelopReport], DevelopError>
}

/// The progress of one job of several.
public struct DevelopUpdate: Sendable {
  /// Identifier of the job.
  public let id: String
  /// Its progress.
  public let progress: Developer.Progress
}

extension Developer {
  /// Develops `job` without blocking the caller's thread, on `workers` threads (0: one for each
  /// core). When the task is cancelled the work ends at its next band and
  /// ``DevelopError/cancelled(path:)`` is thrown; the file that is being written stays as it was.
  /// `progress` is called from any thread.
  public static func develop(
    _ job: DevelopJob, workers: Int = 0,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DevelopError) -> [DevelopReport] {
    let developer = Developer(recipe: job.recipe, workers: workers)
    return try await Cancellation.ofTask { () throws(DevelopError) in
      try developer.develop(
        try open(job.input), named: job.input, to: job.outputs, progress: progress)
    }
  }

  /// Develops `job` and streams its progress, up to `.rendering(1)`. A slow reader misses
  /// intermediate steps, never the last. The work is cancelled when the stream is released. Throws
  /// ``DevelopError``.
  public static func progress(
    of job: DevelopJob, workers: Int = 0
  ) -> AsyncThrowingStream<Progress, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { stream in
      let task = Task {
        do {
          _ = try await develop(job, workers: workers) { stream.yield($0) }
          stream.yield(.rendering(1))
          stream.finish()
        } catch {
          stream.finish(throwing: error)
        }
      }
      stream.onTermination = { _ in task.cancel() }
    }
  }

  /// Develops `jobs`, `limit` at a time (0: one for each core), each on `workers` threads, and
  /// returns their outcomes in the order of completion. The sequence can be iterated once.
  ///
  /// Back-pressure: a job is taken from `jobs` only while fewer than `limit` are in progress or
  /// wait to be read, so a slow reader slows the work down. The work is cancelled when the iterator
  /// is released or the iterating task is cancelled. `updates` gets the progress of all jobs.
  public static func outcomes<Jobs: AsyncSequence & Sendable>(
    of jobs: Jobs, limit: Int = 0, workers: Int = 1,
    updates: AsyncStream<DevelopUpdate>.Continuation? = nil
  ) -> some AsyncSequence<DevelopOutcome, Never> & Sendable
  where Jobs.Element == DevelopJob, Jobs.Failure == Never {
    DevelopOutcomes(
      jobs: jobs, limit: limit > 0 ? limit : Parallel.defaultWorkers, workers: workers,
      updates: updates)
  }

  /// The same for an array of jobs.
  public static func outcomes(
    of jobs: [DevelopJob], limit: Int = 0, workers: Int = 1,
    updates: AsyncStream<DevelopUpdate>.Continuation? = nil
  ) -> some AsyncSequence<DevelopOutcome, Never> & Sendable {
    let jobs = AsyncStream { stream in
      jobs.forEach { stream.yield($0) }
      stream.finish()
    }
    return outcomes(of: jobs, limit: limit, workers: workers, updates: updates)
  }
}
