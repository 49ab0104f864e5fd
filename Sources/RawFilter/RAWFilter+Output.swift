public import ImageCore
public import RawDecode
import RawSensor

extension RAWFilter {
  /// Renders the picture: linear values in ``outputPrimaries``, 1.0 = reference white (203 cd/m²),
  /// upright. Caches the demosaiced picture for the next call if it fits ``cacheLimitBytes``.
  ///
  /// Throws a ``RAWError``: `.badSetting` for settings outside their range, `.damaged`,
  /// `.unsupported` or `.tooLarge` when the pixels cannot be decoded, `.cancelled`, `.outOfMemory`.
  /// `progress` gets the rendered fraction of the picture, 0…1, on any thread.
  public func outputImage(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(RAWError) -> RAWImage {
    let rendition = try plan(keepsDemosaiced: true).rendition()
    return try RAWError.translating(.color) { () throws(PixelError) in
      try RAWImage(
        image: try Image(rendering: rendition.reporting(progress: progress), workers: workers),
        fileHeadroom: rendition.fileHeadroom, warnings: rendition.warnings)
    }
  }

  /// The same picture, rendered in rectangles on reading, so that it is never completely in memory:
  /// the input of writers. Writers report their progress; other readers use `reporting(progress:)`.
  /// Decodes immediately.
  public func rendition() throws(RAWError) -> RAWRendition {
    try plan().rendition()
  }
}

// Asynchronous forms: the work is done on separate threads, and ends when the task is cancelled.
extension RAWFilter {
  /// Renders the picture into memory.
  public func outputImage(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(RAWError) -> RAWImage {
    try await Cancellation.ofTask { () throws(RAWError) in
      try outputImage(progress: progress)
    }
  }

  /// Decodes the picture, which is then rendered on reading.
  public func rendition() async throws(RAWError) -> RAWRendition {
    try await Cancellation.ofTask { () throws(RAWError) in try rendition() }
  }
}

/// A developed picture in memory, with its metadata.
public struct RAWImage: Sendable {
  /// The pixels: linear values, 1.0 = reference white.
  public let image: Image<DisplayReferred>
  /// Brightest pixel, as a multiple of reference white, measured.
  public let contentHeadroom: Float
  /// Mean over the pixels of the largest channel, as a multiple of reference white, measured.
  public let contentAverageLightLevel: Float
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  public let fileHeadroom: Float
  /// Warnings about the file and its profile.
  public let warnings: [String]

  init(image: Image<DisplayReferred>, fileHeadroom: Float, warnings: [String]) throws(PixelError) {
    self.image = image
    self.fileHeadroom = fileHeadroom
    self.warnings = warnings
    let statistics = try image.lightStatistics()
    contentHeadroom = statistics.contentHeadroom
    contentAverageLightLevel = statistics.contentAverageLightLevel
  }
}

/// A developed picture that is rendered on reading.
public struct RAWRendition: PixelSource {
  /// The picture is display-referred.
  public typealias State = DisplayReferred

  private let rendition: any PixelSource<DisplayReferred>
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  public let fileHeadroom: Float
  /// Warnings about the file and its profile.
  public let warnings: [String]

  /// `sources`: the files that it is made from.
  init(
    rendition: any PixelSource<DisplayReferred>, sources: Set<FileIdentity>, fileHeadroom: Float,
    warnings: [String]
  ) {
    self.rendition = rendition
    info = rendition.info
    info.sources = sources
    self.fileHeadroom = fileHeadroom
    self.warnings = warnings
  }

  /// Columns and rows, upright.
  public var size: PixelSize { rendition.size }
  /// Recommended number of rows to read at a time.
  public var bandHeight: Int { rendition.bandHeight }
  /// Primaries, upper bound of the pixels, and source files of the picture.
  public private(set) var info: DisplayReferred.Info
  /// Renders `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try rendition.read(rect, into: buffer)
  }
}
