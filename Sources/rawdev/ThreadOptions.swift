import ArgumentParser

/// How many threads a command uses.
struct ThreadOptions: ParsableArguments {
  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads takes 1 or more") }
  }

  /// The number of threads; 0 for one for each core.
  var count: Int { threads ?? 0 }
}
