import Testing

@testable import Batch

@Suite struct ShardTests {
  @Test func partsAreAPartition() throws {
    for total in [0, 1, 2, 7, 64, 1000] {
      for count in [1, 2, 3, 7, 64, 1001] {
        let items = Array(0..<total)
        let parts = try (0..<count).map { try Shard($0, of: count).part(of: items) }
        #expect(parts.flatMap(\.self).sorted() == items)
        #expect((parts.map(\.count).max() ?? 0) - (parts.map(\.count).min() ?? 0) <= 1)
        #expect(parts.allSatisfy { $0 == $0.sorted() })
      }
    }
  }

  @Test func textComesBack() throws {
    let shard = try Shard("2/8", environment: [:])
    #expect(shard.index == 2 && shard.count == 8 && shard.description == "2/8")
    for text in [
      "8/8", "-1/8", "1", "1/2/3", "a/b", "", "/", "1/", "0/0", "0/-1", "0/1000001", " 1/2",
    ] {
      let error = #expect(throws: BatchError.self) { try Shard(text, environment: [:]) }
      #expect(error?.code == .badSetting)
    }
  }

  private static func slurm(_ id: Int, _ count: Int, _ low: Int, _ high: Int, step: Int? = nil)
    -> [String: String]
  {
    var variables = [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
      "SLURM_ARRAY_TASK_MIN": "\(low)", "SLURM_ARRAY_TASK_MAX": "\(high)",
    ]
    variables["SLURM_ARRAY_TASK_STEP"] = step.map { "\($0)" }
    return variables
  }

  @Test(arguments: [(0, 7, 1), (1, 8, 1), (5, 5, 1), (10, 22, 4), (0, 1, 1)])
  func slurmArraysAreComplete(low: Int, high: Int, step: Int) throws {
    let tasks = Array(stride(from: low, through: high, by: step))
    let shards = try tasks.map {
      try Shard("auto", environment: Self.slurm($0, tasks.count, low, tasks.last ?? 0, step: step))
    }
    #expect(shards.map(\.index) == Array(0..<tasks.count))
    #expect(shards.allSatisfy { $0.count == tasks.count })
  }

  @Test func arraysWithGapsAreRefused() {
    // --array=1,3,5; 0,2,3; tasks off the steps; a step of 0; numbers out of range.
    let gaps = [
      Self.slurm(3, 3, 1, 5), Self.slurm(2, 3, 0, 3, step: 1), Self.slurm(1, 3, 0, 4, step: 2),
      Self.slurm(0, 1, 0, 4, step: 0), Self.slurm(0, 3, .min, .max), Self.slurm(7, 3, 0, 2),
      Self.slurm(-1, 3, 0, 2),
    ]
    for variables in gaps {
      let error = #expect(throws: BatchError.self) { try Shard("auto", environment: variables) }
      #expect(error?.code == .badSetting)
    }
  }

  @Test(arguments: [
    (["JOB_COMPLETION_INDEX": "3", "RAWDEV_SHARDS": "4"], 3, 4),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "0", "RAWDEV_SHARDS": "10"], 0, 10),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "2"], 1, 2),
    (["PARALLEL_SEQ": "1", "RAWDEV_SHARDS": "2"], 0, 2),
    (["PARALLEL_SEQ": "2", "RAWDEV_SHARDS": "2"], 1, 2),
  ]) func otherEngines(variables: [String: String], index: Int, count: Int) throws {
    let shard = try Shard("auto", environment: variables)
    #expect(shard.index == index && shard.count == count)
  }

  @Test(arguments: [
    [:], ["JOB_COMPLETION_INDEX": "3"], ["RAWDEV_SHARDS": "4"],
    ["JOB_COMPLETION_INDEX": "4", "RAWDEV_SHARDS": "4"],
    ["PARALLEL_SEQ": "0", "RAWDEV_SHARDS": "4"], ["PARALLEL_SEQ": "x", "RAWDEV_SHARDS": "4"],
    ["PARALLEL_SEQ": "-9223372036854775808", "RAWDEV_SHARDS": "4"],
    ["SLURM_ARRAY_TASK_ID": "1"],
  ]) func unknownSchedulersAreRefused(variables: [String: String]) {
    let error = #expect(throws: BatchError.self) { try Shard("auto", environment: variables) }
    #expect(error?.code == .badSetting)
  }
}
