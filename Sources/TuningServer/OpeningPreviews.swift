import Tuning

/// The embedded previews that a page shows until a picture is rendered. What asks while one is made
/// gets the same one, so that the first can be made before a page asks; it ends when nobody waits
/// for it any more.
actor OpeningPreviews {
  /// No side is longer, pixels. `preview.js` asks for this one.
  static let side = 1440

  private struct Making {
    let task: Task<[UInt8], any Error>
    /// Number of requests for it, and how many of them wait no more.
    var asked = 0
    var left = 0
  }

  private let folder: TuningFolder
  /// The folder lets a few at a time read, so that slow ones hold up no others.
  private let queue = WorkQueue(
    "rawdev.preview", limit: TuningLimits.connections, maxWaiting: 64)
  private var making: [PictureID: Making] = [:]

  init(_ folder: TuningFolder) { self.folder = folder }

  /// The preview of the raw `id` as a JPEG.
  func preview(_ id: PictureID) async throws -> [UInt8] {
    let task =
      making[id]?.task
      ?? Task { [folder, queue] in
        try await queue.run { try await folder.thumbnail(id, side: Self.side) }
      }
    making[id, default: Making(task: task)].asked += 1
    defer { if making[id]?.task == task { making[id] = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await leave(id, task) }
    }
  }

  private func leave(_ id: PictureID, _ task: Task<[UInt8], any Error>) {
    guard making[id]?.task == task else { return }
    making[id]?.left += 1
    guard let now = making[id], now.left == now.asked else { return }
    task.cancel()
    // Who asks from now on gets a new one.
    making[id] = nil
  }
}
