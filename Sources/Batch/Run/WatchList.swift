import Foundation
public import SystemPackage

/// Raws in folders that grow: which of them are whole.
///
/// A file counts as whole when neither its length nor its time of change has moved for a while; that needs no
/// notice from the file system, which network folders do not give. A round is due when the whole files,
/// or sidecars and defaults, are not those of the last round.
public struct WatchList {
  private let inputs: [FilePath]
  private let workingFolder: FilePath
  private let except: FilePath?
  private let isFlat: Bool
  private let settleSeconds: Double
  private var seen: [FilePath: (status: FileStatus, since: ContinuousClock.Instant)] = [:]
  private var last: [FilePath: FileStatus]?

  /// Watches `inputs`; files are whole after `settleSeconds` without change.
  public init(
    _ inputs: [FilePath], workingFolder: FilePath, except: FilePath?, isFlat: Bool,
    settleSeconds: Double
  ) {
    (self.inputs, self.workingFolder) = (inputs, workingFolder)
    (self.except, self.isFlat) = (except, isFlat)
    // What is no time is none; clocks have an end.
    self.settleSeconds = settleSeconds > 0 ? min(settleSeconds, 1e9) : 0
  }

  /// The sources of a round; nil where none is due.
  public mutating func round(now: ContinuousClock.Instant = .now) throws(BatchError)
    -> [BatchSource]?
  {
    let list = try SourceList(inputs, workingFolder: workingFolder, except: except, isFlat: isFlat)
    var current: [FilePath: (status: FileStatus, since: ContinuousClock.Instant)] = [:]
    for path in list.sources.map(\.path) + list.companions {
      guard let status = FileStatus(path) else { continue }
      let known = seen[path]
      current[path] = known?.status == status ? known : (status, now)
    }
    seen = current
    let whole = current.filter { now - $0.value.since >= .seconds(settleSeconds) }
      .mapValues(\.status)
    // What is being changed is, until it is whole again, as it was: no round for half a sidecar.
    let known = (last ?? [:]).filter { current[$0.key] != nil }
    let next = known.merging(whole) { _, new in new }
    guard next != last ?? [:] else { return nil }
    last = next
    return list.sources.filter { whole[$0.path] != nil }
  }
}
