import ArgumentParser
import Batch
import ImageCore

/// The resources that a batch may use.
struct WorkOptions: ParsableArguments {
  @Option(help: "Files developed at a time. (default: a few more than cores that may be used)")
  var jobs: Int?

  @Option(help: "Threads of each. (default: 1, and more for the last files)")
  var threads: Int?

  @Option(
    help: "Memory for all processes together, as 8G or 900M. (default: four fifths of free memory)"
  )
  var memory: String?

  @Option(help: "Seconds that one file may take.")
  var timeout = 900.0

  func apply(to options: inout BatchOptions) throws {
    if let jobs { options.jobs = jobs }
    options.threads = threads
    if let memory {
      options.memoryBytes = try Self.bytes(memory)
      options.limits = DecodeLimits(memoryBytes: options.memoryBytes)
    }
    options.timeoutSeconds = timeout
  }

  /// The bytes that `text` of --memory means.
  static func bytes(_ text: String) throws -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let number = unit == nil ? text[...] : text.dropLast()
    guard let value = Double(number), value > 0, value < 1e15 else {
      throw ValidationError("--memory \(text): give bytes, or a number with K, M, G or T")
    }
    return Int(min(value * Double(1 << (unit ?? 0)), 1e15))
  }
}
