import ArgumentParser
import Batch
import ImageCore

/// Whether files are decoded and encoded by a process of their own, and its limits.
struct IsolationOptions: ParsableArguments {
  @Flag(
    help: """
      Work on each file in a sandboxed process that cannot write, run programs or reach a network.
      """)
  var isolated = false

  @Option(
    help: """
      Memory that a file may take, as 8G or 900M; implies --isolated. (default: four fifths of \
      free memory)
      """)
  var memory: String?

  @Option(help: "Seconds that a file may take; implies --isolated. (default: 900)")
  var timeout: Double?

  func validate() throws { _ = try developer }

  /// What develops and converts where it is not this process; nil where it is.
  var developer: IsolatedDeveloper? {
    get throws {
      guard isolated || memory != nil || timeout != nil else { return nil }
      var developer = IsolatedDeveloper(worker: WorkerCommand.command)
      if let memory {
        developer.memoryBytes = try WorkOptions.bytes(memory)
        developer.limits = DecodeLimits(memoryBytes: developer.memoryBytes)
      }
      if let timeout { developer.timeoutSeconds = timeout }
      guard developer.memoryBytes >= 64 << 20 else {
        throw ValidationError("--memory takes 64M or more")
      }
      guard developer.timeoutSeconds > 0, developer.timeoutSeconds <= 1e9 else {
        throw ValidationError("--timeout takes more than 0 and up to 1e9 seconds")
      }
      return developer
    }
  }

  /// Prints a note where the system does not confine workers.
  func note(_ isolation: String?, about file: String) {
    guard let isolation, let found = Isolation(rawValue: isolation),
      let text = Self.text(found)
    else { return }
    Terminal.note(text, about: file)
  }

  /// What workers could do in spite of their isolation; nil if nothing.
  static func text(_ isolation: Isolation) -> String? {
    switch isolation {
    case .full, .seccomp: nil
    case .landlock:
      "the kernel has no seccomp: the worker could reach a network other than by TCP"
    case .none:
      "the kernel has neither seccomp nor Landlock, or they are denied: the worker was a process "
        + "of its own, but could write and reach a network"
    }
  }
}
