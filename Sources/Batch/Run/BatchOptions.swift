public import ImageCore
public import SystemPackage

/// How a batch or a server works. Of these options only ``colorMatrix`` and ``lensDatabase`` change
/// pixels; recipes determine what is developed.
public struct BatchOptions: Sendable {
  /// Folder that outputs go to, absolute. Created where it is missing.
  public var output: FilePath
  /// Executable and arguments that start a worker process.
  public var worker: [String]
  /// Sources developed at a time, each in a process of its own, 1…256. By default a quarter more
  /// than there are cores, so that one computes while another waits for the disk.
  public var jobs = Machine.cores + max(1, Machine.cores / 4)
  /// Threads of each, 1…256; nil for one, and more where fewer sources are in progress than there
  /// are cores: the last ones, and big ones of which memory admits only one at a time.
  public var threads: Int?
  /// Bytes that all processes together may use, at least 256 MiB.
  public var memoryBytes = Machine.usableMemoryBytes
  /// Limits for one source; a worker that exceeds them is ended.
  public var limits = DecodeLimits()
  /// Seconds that one source may take, 1…1e9; it fails after that.
  public var timeoutSeconds = 900.0
  /// Seconds that sources under way may take after a cancellation.
  var graceSeconds = 8.0
  /// Whether sources and outputs that look up to date are read and compared with their digests.
  public var verifies = false
  /// Whether files that the batch did not write, or that were changed since, are replaced;
  /// otherwise their source fails.
  public var overwrites = false
  /// Whether to report only what would be done and why. Then no file or folder is written.
  public var isDryRun = false
  /// Longest side of the thumbnails in reports, pixels; nil for none.
  public var thumbnail: Int? = 192
  /// The part of a larger batch that these sources are; names the journal and the report.
  public var shard: Shard?
  /// An identifier shared by all shards and repetitions of one batch, for merged reports; nil for
  /// none.
  public var batch: String?
  /// The release, for reports.
  public var version: String
  /// The engine, for journals: sources that another one developed are developed again.
  public var engine: String
  /// See `RAWFilter/colorMatrix`.
  public var colorMatrix: [Double]?
  /// See `RAWFilter/lensDatabasePath`.
  public var lensDatabase: String?
  /// The clock that time limits go by.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Bytes that this process itself uses; nil to ask the system.
  var ownMemoryBytes: (@Sendable () -> Int)?
  /// Bytes that are free for outputs; nil to ask the system.
  var freeBytes: (@Sendable () -> Int)?
  /// Unfinished requests that a server keeps.
  var maxRequests = BatchLimits.requests
  /// Maximum clients of a server; nil for ``ServeSocket/maxClients(besides:openFiles:)``.
  var maxClients: Int?

  /// Options for outputs in `output`, with defaults for the others.
  public init(
    output: FilePath, worker: [String], version: String = RawdevVersion.current,
    engine: String = RawdevVersion.engine
  ) {
    (self.output, self.worker) = (output, worker)
    (self.version, self.engine) = (version, engine)
  }

  /// Throws ``BatchError/Code/badSetting`` for the first option that is outside its range.
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

  /// Random text in the names of staged files, different in each run.
  let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// Name of the journal that this run writes: shard and machine.
  var writer: String {
    let part = shard.map { "\($0.index)-of-\($0.count)" } ?? "all"
    let machine = Machine.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return "\(part)@\(machine.isEmpty ? "localhost" : machine)"
  }

  /// The settings of the worker pool.
  var pool: WorkerPool.Settings {
    var settings = WorkerPool.Settings(
      command: worker, jobs: jobs, threads: threads, memoryBytes: memoryBytes, limits: limits,
      timeoutSeconds: timeoutSeconds, graceSeconds: graceSeconds, now: now)
    if let ownMemoryBytes { settings.ownMemoryBytes = ownMemoryBytes }
    return settings
  }
}
