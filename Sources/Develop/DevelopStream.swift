import Dispatch
import Foundation
import ImageCore
import RawFilter
public import Recipes

/// One raw to develop, of many.
public struct DevelopJob: Sendable, Identifiable {
  /// What the caller calls it.
  public var id: String
  /// The raw.
  public var input: String
  /// Where each output goes, by its name in the recipe.
  public var outputs: [String: String]
  /// What is made of it.
  public var recipe: Recipe

  /// `input` into the outputs of `recipe`.
  public init(id: String? = nil, input: String, outputs: [String: String], recipe: Recipe) {
    (self.id, self.input, self.outputs, self.recipe) = (id ?? input, input, outputs, recipe)
  }

  /// `input` into the first output of `recipe`, at `output`.
  public init(id: String? = nil, input: String, output: String, recipe: Recipe = Recipe()) {
    var single = recipe
    single.outputs = [Recipe.onlyOutput: recipe.output]
    self.init(
      id: id, input: input, outputs: [Recipe.onlyOutput: output], recipe: single)
  }
}

/// What became of a job.
public struct DevelopOutcome: Sendable {
  /// The job.
  public let job: DevelopJob
  /// A report for each output, or why there is none.
  public let result: Result<[DevelopReport], DevelopError>
}

/// How far a job is.
public struct DevelopUpdate: Sendable {
  /// The job's name.
  public let id: String
  /// Where it stands.
  public let progress: Developer.Progress
}

extension Developer {
  /// Develops `job` without blocking the caller's thread. When the task is cancelled the work ends at its
  /// next band and ``DevelopError/cancelled(path:)`` is thrown; nothing half-written stays.
  public static func develop(
    _ job: DevelopJob, workers: Int = 0,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DevelopError) -> [DevelopReport] {
    var developer = Developer(recipe: job.recipe, workers: workers)
    let cancellation = DevelopCancellation()
    developer.cancellation = cancellation
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Outcome, Never>) in
        // Rendering blocks its thread, which those of tasks must not be.
        DispatchQueue.global().async { [developer] in
          done.resume(
            returning: Result { () throws(DevelopError) in
              if cancellation.isCancelled { throw DevelopError.cancelled(path: job.input) }
              return try developer.develop(
                try open(job.input), named: job.input, to: job.outputs, progress: progress)
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private typealias Outcome = Result<[DevelopReport], DevelopError>

  /// Develops `job` and says where it stands: elements are progress, the last one is 1. Who does not read
  /// fast enough misses steps, never the end. An end of reading ends the work. Throws ``DevelopError``.
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

  /// Develops what `jobs` gives, `limit` at a time (0: one for each core), each on `workers` threads. Outcomes
  /// come as they are ready, once: the sequence can be read once. A job begins only when there is a place
  /// for its outcome: who reads slowly slows the work, and nothing piles up. An end of reading, or of the
  /// task that reads, ends the work. `updates` gets the progress of all jobs.
  public static func outcomes<Jobs: AsyncSequence & Sendable>(
    of jobs: Jobs, limit: Int = 0, workers: Int = 1,
    updates: AsyncStream<DevelopUpdate>.Continuation? = nil
  ) -> some AsyncSequence<DevelopOutcome, Never> & Sendable
  where Jobs.Element == DevelopJob, Jobs.Failure == Never {
    DevelopOutcomes(
      jobs: jobs, limit: limit > 0 ? limit : Parallel.defaultWorkers, workers: workers,
      updates: updates)
  }

  /// The same of jobs that are known.
  public static func outcomes(
    of jobs: [DevelopJob], limit: Int = 0, workers: Int = 1,
    updates: AsyncStream<DevelopUpdate>.Continuation? = nil
  ) -> some AsyncSequence<DevelopOutcome, Never> & Sendable {
    outcomes(of: KnownJobs(jobs: jobs[...]), limit: limit, workers: workers, updates: updates)
  }
}
