public import Formats
import ImageCore

// Forms for tasks: the work runs on threads of its own, and ends without leaving files when the
// task is cancelled.

extension Converter {
  /// Converts the picture at `input` and writes the result to `target`, completely or not at all.
  /// `progress` gets the fraction that has been rendered, on any thread.
  public func convert(
    _ input: String, to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(DevelopError) -> PictureReport {
    try await Cancellation.ofTask { () throws(DevelopError) in
      try convert(try Self.open(input), named: input, to: target, progress: progress)
    }
  }
}

extension Composer {
  /// Composes the pictures at `inputs` and writes the result to `target`, completely or not at all.
  /// `progress` gets the fraction that has been rendered, on any thread.
  public func compose(
    _ inputs: [String], to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(DevelopError) -> PictureReport {
    try await Cancellation.ofTask { () throws(DevelopError) in
      try compose(inputs, to: target, progress: progress)
    }
  }
}

extension DNGConverter {
  /// Writes the raw at `input` as DNG to `target`, completely or not at all. `progress` gets the
  /// fraction that has been written, on any thread.
  public func convert(
    _ input: String, to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(DevelopError) -> Report {
    try await Cancellation.ofTask { () throws(DevelopError) in
      try convert(try Developer.open(input), named: input, to: target, progress: progress)
    }
  }
}
