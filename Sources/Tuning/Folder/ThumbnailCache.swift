import Batch
import Synchronization
import SystemPackage

/// Coded thumbnails, the most recently used, up to a number of bytes. Thread-safe.
final class ThumbnailCache: Sendable {
  /// A thumbnail of one state of a file.
  struct Key: Hashable {
    var path: FilePath
    var status: FileStatus
    /// Longest side, pixels.
    var side: Int
    /// The revision of the edits that it shows; nil for the embedded preview.
    var edit: String?

    init(path: FilePath, _ status: FileStatus, side: Int, edit: String? = nil) {
      (self.path, self.status, self.side, self.edit) = (path, status, side, edit)
    }
  }

  private struct State {
    var jpegs: [Key: (bytes: [UInt8], used: Int)] = [:]
    var total = 0
    var clock = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// A cache of up to `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// Bytes of the thumbnails that are remembered.
  var total: Int { state.withLock { $0.total } }

  subscript(key: Key) -> [UInt8]? {
    state.withLock { state in
      state.clock += 1
      state.jpegs[key]?.used = state.clock
      return state.jpegs[key]?.bytes
    }
  }

  func insert(_ jpeg: [UInt8], for key: Key) {
    guard jpeg.count <= limit else { return }
    state.withLock { state in
      state.clock += 1
      state.total += jpeg.count - (state.jpegs[key]?.bytes.count ?? 0)
      state.jpegs[key] = (jpeg, state.clock)
      guard state.total > limit else { return }
      // A quarter at a time: sorting for each insertion would take longer than the thumbnail.
      for (old, entry) in state.jpegs.sorted(by: { $0.value.used < $1.value.used }) {
        guard state.total > limit - limit / 4, old != key else { break }
        state.jpegs[old] = nil
        state.total -= entry.bytes.count
      }
    }
  }
}
