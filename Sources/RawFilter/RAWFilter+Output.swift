public import ImageCore
public import RawDecode
import RawSensor

extension RAWFilter {
  /// Renders the picture: linear values in ``outputPrimaries``, 1.0 = reference white (203 cd/m²),
  /// upright. Keeps the demosaiced picture for the next call when it fits ``cacheLimitBytes``.
  ///
  /// Throws a ``RAWError``: `.badSetting` for settings outside their range, `.damaged`,
  /// `.unsupported` or `.tooLarge` when the pixels cannot be decoded, `.cancelled`, `.outOfMemory`.
  /// `progress` gets the part of the picture that is rendered, 0…1, on any thread.
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

  /// The same picture, rendered rectangle by rectangle when it is read, so that it is never held in
  /// memory as a whole: what writers take. They tell their progress; that of any other reader,
  /// `reporting(progress:)` tells. Decodes now.
  public func rendition() throws(RAWError) -> RAWRendition {
    try plan().rendition()
  }
}

// Forms for tasks: the work is done on threads of its own, and ends when the task is cancelled.
extension RAWFilter {
  /// Renders the picture into memory.
  public func outputImage(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(RAWError) -> RAWImage {
    try await Cancellation.ofTask { () throws(RAWError) in
      try outputImage(progress: progress)
    }
  }

  /// Decodes the picture, which is then rendered when it is read.
  public func rendition() async throws(RAWError) -> RAWRendition {
    try await Cancellation.ofTask { () throws(RAWError) in try rendition() }
  }
}

/// A developed picture in memory and what is known of it.
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

/// A developed picture that is rendered when it is read.
public struct RAWRendition: PixelSource {
  /// The picture is display-referred.
  public typealias State = DisplayReferred

  private let rendition: any PixelSource<DisplayReferred>
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  public let fileHeadroom: Float
  /// Warnings about the file and its profile.
  public let warnings: [String]

  /// `sources` are the files that it is made of.
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
  /// Rows that are best read at a time.
  public var bandHeight: Int { rendition.bandHeight }
  /// Primaries, the upper bound of the pixels, and the files that the picture is made of.
  public private(set) var info: DisplayReferred.Info
  /// Renders `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try rendition.read(rect, into: buffer)
  }
}
