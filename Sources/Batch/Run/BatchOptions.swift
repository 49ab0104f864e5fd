public import SystemPackage

/// How a batch works; what it makes is in its recipes.
public struct BatchOptions: Sendable {
  /// Folder that outputs go to, absolute.
  public var output: FilePath
  /// Executable and arguments of a worker process.
  public var worker: [String]
  /// Files developed at a time; each in a process of its own. More than there are cores, so that one is
  /// at work while another waits for the disk.
  public var jobs = Machine.cores + max(1, Machine.cores / 4)
  /// Threads of each; nil for one, and more where fewer files are at work than there are cores: the last ones,
  /// and big ones that memory lets in one by one only.
  public var threads: Int?
  /// Bytes that all together may take.
  public var memoryBytes = Machine.usableMemoryBytes
  /// Seconds that one file may take.
  public var timeoutSeconds = 900.0
  /// Seconds that files under way may go on after a stop was asked for.
  var graceSeconds = 8.0
  /// Whether what looks up to date is read to make sure.
  public var verifies = false
  /// Whether files that the batch did not write, or that were changed since, are replaced.
  public var overwrites = false
  /// Whether it is only said what would be done; nothing is written.
  public var isDryRun = false
  /// Longest side of the small versions in the report; nil for none.
  public var thumbnail: Int? = 192
  /// The part of the whole that this run does.
  public var shard: Shard?
  /// What all shards and repetitions of one batch have in common, for their reports; nil for unknown.
  public var batch: String?
  /// Version of the engine: another one develops anew.
  public var version: String
  /// See `RAWFilter.colorMatrix`.
  public var colorMatrix: [Double]?
  /// See `RAWFilter.lensDatabasePath`.
  public var lensDatabase: String?

  /// Options with their defaults.
  public init(output: FilePath, worker: [String], version: String) {
    (self.output, self.worker, self.version) = (output, worker, version)
  }

  /// Throws for the first that is outside its range.
  public func validate() throws(BatchError) {
    guard (1...256).contains(jobs) else {
      throw BatchError(.badSetting, "jobs is \(jobs); it takes 1 to 256")
    }
    if let threads, !(1...256).contains(threads) {
      throw BatchError(.badSetting, "threads is \(threads); it takes 1 to 256")
    }
    guard memoryBytes >= 256 << 20 else {
      throw BatchError(
        .badSetting, "memory is \(memoryBytes >> 20) MiB; one file takes 256 MiB and more")
    }
    guard timeoutSeconds >= 1, timeoutSeconds <= 1e9 else {
      throw BatchError(.badSetting, "timeout is \(timeoutSeconds) s; it takes 1 to 1e9")
    }
  }

  /// What tells the staged files of this run from those of all others.
  let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// Name of the journal that this run writes.
  var writer: String {
    let part = shard.map { "\($0.index)-of-\($0.count)" } ?? "all"
    let machine = Machine.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return "\(part)@\(machine.isEmpty ? "localhost" : machine)"
  }
}
