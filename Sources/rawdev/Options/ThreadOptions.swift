import ArgumentParser

/// How many threads a command uses.
struct ThreadOptions: ParsableArguments {
  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  func validate() throws {
    guard let threads else { return }
    guard (1...256).contains(threads) else { throw ValidationError("--threads takes 1 to 256") }
  }

  /// The number of threads; 0 for one for each core.
  var count: Int { threads ?? 0 }
}
