public import Foundation

/// One of `count` parts of a batch: every `count`th source from `index` on, so that neighbors,
/// which tend to take equally long, are spread.
public struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// Number of this part, from 0.
  public let index: Int
  /// Number of parts, 1…1,000,000.
  public let count: Int

  /// Throws ``BatchError/Code/badSetting`` where `index` is not in 0…count - 1.
  public init(_ index: Int, of count: Int) throws(BatchError) {
    guard count >= 1, count <= 1_000_000, (0..<count).contains(index) else {
      throw BatchError(
        .badSetting, "shard \(index)/\(count); shards are 0/n to n-1/n, for example 0/8")
    }
    (self.index, self.count) = (index, count)
  }

  /// Parses `k/n`, or with `auto` the environment variables of a scheduler. Throws
  /// ``BatchError/Code/badSetting``.
  public init(
    _ text: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(BatchError) {
    if text == "auto" {
      self = try Self.automatic(environment)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else {
      throw BatchError(.badSetting, "shard \"\(text)\"; give k/n with k from 0, or auto")
    }
    try self.init(index, of: count)
  }

  /// Slurm arrays, Kubernetes indexed jobs, AWS Batch arrays, GNU parallel.
  private static func automatic(_ environment: [String: String]) throws(BatchError) -> Shard {
    func number(_ name: String) -> Int? {
      environment[name].flatMap { Int($0) }.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }
    if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("RAWDEV_SHARDS") {
      return try Shard(task, of: count)
    }
    if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
      let (low, high) = (
        number("SLURM_ARRAY_TASK_MIN") ?? 0, number("SLURM_ARRAY_TASK_MAX") ?? task
      )
      // Shards of tasks that are left out of the array would never run.
      let step = number("SLURM_ARRAY_TASK_STEP") ?? 1
      guard step >= 1, (high - low) / step + 1 == count, task >= low, (task - low) % step == 0
      else {
        throw BatchError(
          .badSetting,
          "the Slurm array has gaps (\(count) tasks from \(low) to \(high)); name the shard as k/n")
      }
      return try Shard((task - low) / step, of: count)
    }
    // These schedulers have no variable for the number of parts: it is in RAWDEV_SHARDS.
    let indexes = ["JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"].compactMap(number)
    let index = indexes.first ?? number("PARALLEL_SEQ").map { $0 - 1 }
    let counts = ["RAWDEV_SHARDS", "AWS_BATCH_JOB_ARRAY_SIZE"].compactMap(number)
    guard let index, let count = counts.first else {
      throw BatchError(
        .badSetting,
        "shard auto finds no array: it reads SLURM_ARRAY_TASK_ID, or JOB_COMPLETION_INDEX, "
          + "AWS_BATCH_JOB_ARRAY_INDEX or PARALLEL_SEQ with RAWDEV_SHARDS")
    }
    return try Shard(index, of: count)
  }

  /// The elements of `items` that belong to this part.
  public func part<Item>(of items: [Item]) -> [Item] {
    stride(from: index, to: items.count, by: count).map { items[$0] }
  }

  /// `k/n`.
  public var description: String { "\(index)/\(count)" }
}
