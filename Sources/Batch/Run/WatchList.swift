public import Develop
import Foundation
public import SystemPackage

/// Finds the raws in folders to which files are being copied, once they are complete.
///
/// A file counts as complete when neither its length nor its modification time has changed for a
/// while. That needs no notifications of the file system, which network folders do not send. A
/// round is due when the complete raws, sidecars and defaults differ from the last round.
public struct WatchList {
  private let inputs: [FilePath]
  private let workingFolder: FilePath
  private let except: FilePath?
  private let isFlat: Bool
  private let settleSeconds: Double
  private var seen: [FilePath: (status: FileStatus, since: ContinuousClock.Instant)] = [:]
  private var last: [FilePath: FileStatus]?
  /// Folders that could not be read when they were listed last.
  public private(set) var failures: [BatchError] = []

  /// Watches `inputs` as ``SourceList`` reads them; files are complete after `settleSeconds`
  /// without change.
  public init(
    _ inputs: [FilePath], workingFolder: FilePath, except: FilePath?, isFlat: Bool,
    settleSeconds: Double
  ) {
    (self.inputs, self.workingFolder) = (inputs, workingFolder)
    (self.except, self.isFlat) = (except, isFlat)
    // NaN and negative numbers are 0; the clock overflows far beyond 1e9.
    self.settleSeconds = settleSeconds > 0 ? min(settleSeconds, 1e9) : 0
  }

  /// Makes a round due even if nothing has changed: where the last one failed.
  public mutating func forget() { last = nil }

  /// The sources of a round, nil where none is due. Lists the folders; throws
  /// ``BatchError/Code/cannotRead``.
  public mutating func round(now: ContinuousClock.Instant = .now) throws(BatchError)
    -> [RawSource]?
  {
    let list = try SourceList(inputs, workingFolder: workingFolder, except: except, isFlat: isFlat)
    failures = list.failures
    var current: [FilePath: (status: FileStatus, since: ContinuousClock.Instant)] = [:]
    for path in list.sources.map(\.path) + list.companions {
      guard let status = FileStatus(path) else { continue }
      let known = seen[path]
      current[path] = known?.status == status ? known : (status, now)
    }
    seen = current
    let complete = current.filter { now - $0.value.since >= .seconds(settleSeconds) }
      .mapValues(\.status)
    // A file that is being changed keeps its last complete state: no round for half a sidecar.
    let known = (last ?? [:]).filter { current[$0.key] != nil }
    let next = known.merging(complete) { _, new in new }
    guard next != last ?? [:] else { return nil }
    last = next
    return list.sources.filter { complete[$0.path] != nil }
  }
}
