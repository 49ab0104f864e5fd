import Develop
import ImageCore
import Recipes
import SystemPackage

/// The ends of sources.
extension Batch {
  /// Renames the staged files to their final names, after the journal has recorded that they are
  /// complete.
  func commit(_ index: Int, _ result: WorkerResult) throws {
    guard var item = items[index], let plan = item.plan else { return }
    var outputs: [JournalRecord.Output] = []
    for var output in result.outputs {
      guard let file = plan.outputs.files[output.name] else { continue }
      let path = options.output.pushing(file.path)
      let staged = options.output.pushing(file.staged)
      let status = try output.status(staged: staged)
      // Nothing is recorded as done where one of them cannot get its name.
      if !options.overwrites {
        _ = try Folders.isReplaceable(path, digest: output.xxh128) {
          item.replaced[output.name] == $0
        }
      }
      output.path = path.text
      outputs.append(
        .init(
          path: file.path.text, staged: file.staged.text, changed: status.changed, item: output,
          replaced: FileStatus(path).map { .init($0) }))
    }
    // A source that changed while it was developed is developed again by the next run.
    if let status = FileStatus(item.source), let before = item.status,
      status.bytes != before.bytes || status.changed != before.changed
    {
      item.status?.changed = 0
    }
    try note(item, outputs)
    for output in outputs {
      try Folders.put(
        options.output.pushing(FilePath(text: output.staged)),
        at: options.output.pushing(FilePath(text: output.path)), digest: output.item.xxh128,
        overwrites: options.overwrites
      ) { item.replaced[output.item.name] == $0 }
    }
    finish(index, .done, result: result, outputs: outputs.map(\.item))
  }

  /// Whether the disk of an item's outputs is full. A worker that a hostile file has taken over may
  /// claim so for any file, hence the check.
  func isDiskFull(for index: Int) -> Bool {
    guard let item = items[index], item.hasClaim, let outputs = item.plan?.outputs else {
      return false
    }
    return outputs.files.values.contains { file in
      let staged = options.output.pushing(file.staged)
      let free = options.freeBytes?() ?? DiskSpace.free(in: staged.removingLastComponent())
      return free < max(DiskSpace.little, FileStatus(staged)?.bytes ?? 0)
    }
  }

  /// Removes the staged files of an item that failed.
  func discard(_ index: Int) {
    guard let item = items[index], item.hasClaim else { return }
    item.plan?.outputs.discard(in: options.output)
  }

  /// Reports the end of an item and forgets the item.
  func finish(
    _ index: Int, _ status: BatchItem.Status, reason: String? = nil,
    failure: BatchItem.Failure? = nil, result: WorkerResult? = nil,
    outputs: [BatchItem.Output] = []
  ) {
    guard let item = items.removeValue(forKey: index) else { return }
    var entry = BatchItem(id: item.source.id, input: item.source.path.text, status: status)
    entry.time = ReportTime.now
    entry.reason = reason ?? (status == .done ? item.reason : nil)
    entry.error = failure
    entry.outputs = status == .skipped ? (item.record?.outputs.map(\.item) ?? []) : outputs
    if status == .planned, let plan = item.plan {
      entry.outputs = plan.outputs.files.sorted { $0.key < $1.key }.map { name, file in
        BatchItem.Output(
          name: name, path: options.output.pushing(file.path).text,
          format: plan.recipe.outputs[name]?.format.rawValue ?? "", width: 0, height: 0, bytes: 0,
          xxh128: "", contentHeadroom: 0, maxCLL: 0, maxFALL: 0)
      }
    }
    entry.add(item.plan, item.info, result)
    entry.seconds = item.began.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    entry.xxh128 = entry.xxh128 ?? item.record?.info.xxh128
    let key = item.plan.flatMap { plan in
      item.info.map {
        plan.outputs.key(source: $0, recipe: plan.canonical, engine: options.engine)
      }
    }
    entry.key = key ?? item.record?.key
    // Manifests cannot express brackets.
    let isSingle = item.source.frames.isEmpty
    if !isSingle { entry.frames = item.source.frames.map(\.text) }
    if isSingle, status == .failed || status == .interrupted {
      entry.entry = ManifestEntry(item.source)
    }
    entry.node = status == .done || status == .failed ? Machine.name : nil
    tally.count(entry, pixels: item.info?.pixels ?? 0)
    report(.item(entry))
  }
}
