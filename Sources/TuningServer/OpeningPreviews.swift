import Tuning

/// The embedded previews that a page shows until a picture is rendered. What asks while one is made
/// gets the same one, so that the first can be made before a page asks.
actor OpeningPreviews {
  /// No side is longer, pixels. `preview.js` asks for this one.
  static let side = 1440

  private let folder: TuningFolder
  private let queue = WorkQueue("rawdev.preview", limit: 2, maxWaiting: 64)
  private var making: [PictureID: Task<[UInt8], any Error>] = [:]

  init(_ folder: TuningFolder) { self.folder = folder }

  /// The preview of the raw `id` as a JPEG.
  func preview(_ id: PictureID) async throws -> [UInt8] {
    let task =
      making[id]
      ?? Task { [folder, queue] in
        try await queue.run { try await folder.thumbnail(id, side: Self.side) }
      }
    making[id] = task
    defer { if making[id] == task { making[id] = nil } }
    return try await task.value
  }
}
