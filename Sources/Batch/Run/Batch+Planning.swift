import Develop
import ImageCore
import SystemPackage

/// Decides which sources are developed, skipped or refused.
extension Batch {
  /// Whether the item has to be opened or read; otherwise it is finished.
  func prepare(_ index: Int) -> Bool {
    guard var item = items[index] else { return false }
    do {
      guard !item.source.isDuplicate else {
        throw BatchError(
          .sameOutput,
          "another source would be written to the same files; give folders instead of files, or "
            + "use {folder} in names"
        )
      }
      guard let status = FileStatus(item.source) else {
        throw BatchError(.cannotRead, "no such file any more")
      }
      guard status.kind == .regular else {
        throw BatchError(.cannotRead, "is not a regular file; give raws and folders")
      }
      item.status = status
      item.record = try record(of: item.source)
      if let record = item.record {
        if !options.isDryRun { try UpToDate.complete(record, in: options.output) }
        guard status.bytes == record.bytes, status.changed == record.changed else {
          item.reason = "source changed"
          items[index] = item
          return true
        }
        let plan = try planner.plan(item.source, record.info)
        if let reason = try staleness(record, plan, record.info) {
          item.reason = reason
        } else if options.verifies {
          (item.isVerified, item.info) = (true, record.info)
        } else {
          try claim(plan, for: item)
          items[index] = item
          finish(index, .skipped, reason: "up to date")
          return false
        }
      }
      items[index] = item
      return true
    } catch {
      items[index] = item
      finish(index, .failed, failure: .init(error))
      return false
    }
  }

  /// The last record of the source with its current outputs; otherwise its last record.
  private func record(of source: RawSource) throws -> JournalRecord? {
    guard let last = history.records[source.path.text] else { return nil }
    let others = history.alternatives[source.path.text] ?? []
    guard others.count > 1 else { return last }
    let plan = try planner.plan(source, last.info)
    let paths = Set(plan.outputs.files.values.map(\.path.text))
    return others.first { $0.paths == paths } ?? last
  }

  /// Why the outputs of `record` are not what `plan` would make; nil where they are.
  func staleness(
    _ record: JournalRecord, _ plan: SourcePlan, _ info: SourceInfo
  ) throws(BatchError) -> String? {
    let key = plan.outputs.key(source: info, recipe: plan.canonical, engine: options.engine)
    switch UpToDate.outputs(of: record, in: options.output) {
    case .intact: break
    case .missing(let path): return "output missing: \(path.lastComponent?.string ?? "")"
    case .changed(let path):
      guard options.overwrites else {
        throw BatchError(
          .exists,
          "\(path.shown) was changed since it was written; move it away, or let it be replaced",
          remedies: [.allowReplacement])
      }
      return "output changed"
    }
    if key == record.key { return nil }
    return info.xxh128 == record.info.xxh128 ? "recipe or engine changed" : "source changed"
  }

  /// Removes the staged files of earlier runs of the same writer.
  func clean() {
    if options.isDryRun { return }
    // Staged files that wait to be renamed for sources that are not part of this run stay.
    let others = history.records.values.filter { !sourceFiles.contains(FilePath(text: $0.source)) }
    let recorded = Set(others.flatMap(\.outputs).map(\.staged))
    for text in history.staged[options.writer] ?? [] where !recorded.contains(text) {
      remove(staged: text)
    }
  }

  /// Removes a staged file, `text` its path below the output folder. Paths that are no staged
  /// files, as from a journal that was tampered with, are ignored.
  func remove(staged text: String) {
    let path = FilePath(text: text)
    guard OutputPlan.isStaged(path),
      (try? Folders.requireNoWayOut(of: options.output, to: path)) != nil
    else { return }
    OutputPlan.remove(staged: options.output.pushing(path))
  }

  /// The next step for a raw that was opened.
  func begin(_ index: Int, _ info: SourceInfo) throws -> WorkerStep {
    guard var item = items[index] else { return .finish }
    item.info = info
    var plan = try planner.plan(item.source, info)
    if try waitsForSeries(index, plan) { return .finish }
    plan.outputs = plan.outputs.made(by: options.run)
    item.plan = plan
    items[index] = item
    try claim(plan, for: item)
    items[index]?.hasClaim = true
    if !item.isStale, let record = item.record, record.info.xxh128 == info.xxh128,
      try staleness(record, plan, info) == nil
    {
      // Touched or copied again, with the same content.
      if !options.isDryRun { try note(item, record.outputs) }
      finish(index, .skipped, reason: "content unchanged")
      return .finish
    }
    for file in plan.outputs.files.values {
      try Folders.requireNoWayOut(of: options.output, to: file.path)
    }
    if let refusal = refusal(of: plan.outputs, for: item) {
      guard let record = try finishedElsewhere(item.source, plan, info) else { throw refusal }
      items[index]?.record = record
      if !options.isDryRun { try note(item, record.outputs) }
      finish(index, .skipped, reason: "done elsewhere")
      return .finish
    }
    if options.isDryRun {
      finish(index, .planned, reason: item.reason)
      return .finish
    }
    items[index]?.replaced = plan.outputs.files.compactMapValues {
      FileStatus(options.output.pushing($0.path))
    }
    for file in plan.outputs.files.values {
      try Folders.create(options.output.pushing(file.path).removingLastComponent())
    }
    let staged = plan.outputs.files.mapValues(\.staged.text)
    // Staged files that another machine left of this source.
    for text in history.begun[item.source.path.text] ?? [] where !staged.values.contains(text) {
      remove(staged: text)
    }
    try journal?.append(
      .begin(source: item.source.path.text, staged: staged.values.sorted()), isSynced: false)
    return WorkerStep(
      develop: plan, info, frames: item.source.frames.count, in: options.output, options)
  }

  /// Claims the output paths of `plan`. Throws where another source has one of them, or is one, or
  /// where the recipe reads one.
  func claim(_ plan: SourcePlan, for item: Item) throws(BatchError) {
    let paths = plan.outputs.files.values.map { options.output.pushing($0.path) }
    for path in paths {
      if let other = claimed[path], other.path != item.source.path {
        throw BatchError(
          .sameOutput,
          "\(path.shown) is the output of \(other.id) as well; use {ext} or {folder} in names")
      }
      let status = FileStatus(path)
      let isSource = status.map { sourceIdentities.contains($0.identity) } ?? false
      if inputFiles.contains(path) || isSource {
        throw BatchError(.exists, "\(path.shown) is also a source; name another folder")
      }
      if let status { try plan.requireNoInput(path, status, options.lensDatabase) }
    }
    for path in paths { claimed[path] = item.source }
  }

  /// Why a file of the plan may not be written; nil where all may.
  private func refusal(of outputs: OutputPlan, for item: Item) -> BatchError? {
    guard !options.overwrites else { return nil }
    for file in outputs.files.values {
      do { try check(file, of: item) } catch { return error }
    }
    return nil
  }

  /// The record of another machine that developed the source since this run began, or of the same
  /// source under another path, as of a folder that was renamed, if its outputs are those that this
  /// run would make.
  private func finishedElsewhere(
    _ source: RawSource, _ plan: SourcePlan, _ info: SourceInfo
  ) throws(BatchError) -> JournalRecord? {
    let history = try JournalHistory(in: options.output, of: [source.path.text])
    let key = plan.outputs.key(source: info, recipe: plan.canonical, engine: options.engine)
    for record in [history.records[source.path.text], try ofOtherPath(key)] {
      if let record, try staleness(record, plan, info) == nil { return record }
    }
    return nil
  }

  /// The last record with this key, for any path of its source.
  private func ofOtherPath(_ key: String) throws(BatchError) -> JournalRecord? {
    if recordsByKey == nil {
      let all = try JournalHistory(in: options.output).records.values
      recordsByKey = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }
    }
    return recordsByKey?[key]
  }

  /// Throws where the path of `file` holds a file that this batch did not write.
  func check(_ file: OutputPlan.File, of item: Item) throws(BatchError) {
    let path = options.output.pushing(file.path)
    guard let status = FileStatus(path) else {
      guard (try? Stat(path, followTargetSymlink: false)) == nil else {
        throw BatchError(
          .exists,
          "\(path.shown) is a link to a file that is not there; remove it, or let it be replaced",
          remedies: [.allowReplacement])
      }
      return
    }
    let own = (history.alternatives[item.source.path.text] ?? []).flatMap(\.outputs).contains {
      options.output.pushing(FilePath(text: $0.path)) == path
        && UpToDate.isUnchanged($0, at: path, status)
    }
    guard own else {
      throw BatchError(
        .exists,
        "\(path.shown) exists and was not written by this batch; move it away, or let it be "
          + "replaced", remedies: [.allowReplacement])
    }
  }

  /// Records the outputs of the source in the journal.
  func note(_ item: Item, _ outputs: [JournalRecord.Output]) throws(BatchError) {
    guard let info = item.info, let status = item.status, let plan = item.plan else { return }
    try journal?.append(
      .done(
        JournalRecord(
          source: item.source.path.text, bytes: status.bytes, changed: status.changed,
          info: info,
          key: plan.outputs.key(source: info, recipe: plan.canonical, engine: options.engine),
          outputs: outputs)), isSynced: true)
  }
}
