import Batch
import Develop
import ImageCore
package import RawFilter
import SystemPackage

/// One raw that is being tuned: pictures of any part of it, at any scale, for any settings.
///
/// Expensive results are cached for the next request, within about 250 MB besides the samples of
/// the file: measurements of the picture; the camera's picture reduced to the current scale, before
/// white balance and exposure; and the scene after sharpening and local contrast. So a change
/// recomputes only the stages from the first affected one on. Pixels do not depend on it.
/// Renderings of all sessions are made one at a time, on a thread of their own.
package actor TuningSession {
  /// The opened raw, at its default settings.
  package nonisolated let filter: RAWFilter

  private let queue = RenderQueue.shared
  private let rendering: TuningRendering
  /// What is being made, or waits, for each viewer.
  private(set) var latest: [String: Cancellation] = [:]
  /// The scale of the last complete picture displayed, at which others are cached.
  private var displayedScale: Float?

  /// Opens the raw at `path`; names need not be UTF-8.
  package init(path: [UInt8]) throws {
    self.init(try ReadablePath(FilePath(bytes: path)).withText { try Developer.open($0) })
  }

  /// A session for an opened raw, with the properties of `filter` that are no adjustments.
  package init(_ filter: RAWFilter) {
    var filter = filter
    filter.settings = RAWSettings()
    self.filter = filter
    rendering = TuningRendering(filter)
  }

  /// What holds for these settings: sizes, values of all properties, headroom. Decodes the picture
  /// the first time.
  package func state(_ settings: RAWSettings) async throws -> TuningState {
    try await queue.run { [rendering] in try rendering.state(settings) }
  }

  /// Renders what `request` asks for. A later request of the same `viewer` replaces an earlier one,
  /// which then throws `CancellationError`; so does cancelling the task.
  package func picture(_ request: TuningRequest, viewer: String) async throws -> TuningPicture {
    let job = Cancellation()
    latest[viewer]?.cancel()
    latest[viewer] = job
    defer { if latest[viewer] === job { latest[viewer] = nil } }
    let made = try await queue.run(job) { [rendering] in
      try rendering.picture(request)
    }
    if request.part == nil, !request.isUncropped { displayedScale = made.scale }
    return made.picture
  }

  /// The histogram of the HDR rendition, at the scale of the last complete picture displayed.
  /// `headroomLimit` and `allowsDraft` are as in ``TuningRequest``.
  package func histogram(
    _ settings: RAWSettings, headroomLimit: Float? = nil, allowsDraft: Bool = false
  ) async throws -> LuminanceHistogram {
    try await queue.run { [rendering, displayedScale] in
      try rendering.histogram(
        settings, limit: headroomLimit, allowsDraft: allowsDraft, scale: displayedScale)
    }
  }

  /// The values of the pixel at column `x` and row `y` of the finished picture at full size.
  /// `headroomLimit` is as in ``TuningRequest``.
  package func readout(
    _ settings: RAWSettings, headroomLimit: Float? = nil, x: Int, y: Int
  ) async throws -> PixelReadout {
    try await queue.run { [rendering] in
      try rendering.readout(settings, limit: headroomLimit, PixelPoint(x: x, y: y))
    }
  }

  /// The white that makes the surroundings of that pixel neutral.
  package func white(_ settings: RAWSettings, x: Int, y: Int) async throws -> PickedWhite {
    try await queue.run { [rendering] in
      try rendering.white(settings, PixelPoint(x: x, y: y))
    }
  }

  /// What automatic adjustment sets in place of the values of `settings`, by the names of the
  /// properties; neutral values included.
  package func automaticAdjustments(_ settings: RAWSettings) async throws -> [String: Float] {
    try await queue.run { [rendering] in
      var filter = rendering.base
      filter.settings = settings
      return try filter.automaticAdjustments().values
    }
  }
}
