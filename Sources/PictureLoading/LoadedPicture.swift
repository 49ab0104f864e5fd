public import Foundation
public import HDRRender
public import ImageCore
public import RawFilter
public import Readers

/// A picture from a file of any supported kind, finished or raw, in the requested range.
public struct LoadedPicture: Sendable {
  /// The picture: linear values, or a base with its gain map where requested as stored.
  public let picture: DisplayPicture
  /// How it is encoded in the file; for raws, 16 bits in SDR.
  public let format: PictureFormat
  /// Exif entries and XMP.
  public let metadata: CaptureMetadata
  /// The finished picture; nil for raws.
  public let still: StillImage?
  /// Warnings about the file, one line each.
  public let notes: [String]

  /// The linear values in the requested range, upright.
  public let pixels: any PixelSource<DisplayReferred>
  /// Whether ``pixels`` has values above reference white.
  public var isHighDynamicRange: Bool { headroom > 1 }
  /// The largest value of ``pixels``, as a ratio to reference white.
  public let headroom: Double

  /// Opens the file at `url`. Raws, including TIFF-based ones, are developed with default settings,
  /// in SDR or with their full headroom. Pixels are decoded when they are read. `policy` decides
  /// how a damaged finished picture is read; a damaged raw is refused.
  public static func load(
    _ url: URL, _ options: LoadOptions = LoadOptions(), limits: DecodeLimits = DecodeLimits(),
    policy: ReadPolicy = .whole
  ) throws(ReadError) -> LoadedPicture {
    switch try PictureFile(url, limits: limits, policy: policy) {
    case .still(let still, let stored): return try LoadedPicture(still, stored, options)
    case .raw(let raw):
      do { return try LoadedPicture(raw, options) } catch { throw ReadError(error) }
    }
  }

  /// The picture in `still`.
  public init(_ still: StillImage, _ options: LoadOptions = LoadOptions()) throws(ReadError) {
    try self.init(still, still.picture(), options)
  }

  private init(
    _ still: StillImage, _ stored: DisplayPicture, _ options: LoadOptions
  ) throws(ReadError) {
    switch options.resolved {
    case .asStored:
      (pixels, headroom) =
        switch stored.content {
        case .pixels(let base): (base, stored.contentHeadroom)
        case .gainMap(let map): (map.base, still.baseHeadroom)
        }
      picture = stored
    case .standard:
      pixels = DisplayRendering(.standard, displayHeadroom: 1)(stored)
      headroom = 1
      picture = DisplayPicture(pixels, contentHeadroom: 1)
    case .high:
      pixels = DisplayRendering(.high, displayHeadroom: stored.contentHeadroom)(stored)
      headroom = stored.contentHeadroom
      picture = DisplayPicture(
        pixels, contentHeadroom: headroom, toneHeadroom: stored.toneHeadroom,
        averageLightLevel: stored.averageLightLevel, isAbsolute: stored.isAbsolute)
    }
    (format, metadata, notes) = (still.format, still.metadata, still.notes(and: stored.notes))
    self.still = still
  }

  /// The picture in `raw`, with its own settings except for the range.
  public init(_ raw: RAWFilter, _ options: LoadOptions = LoadOptions()) throws(RAWError) {
    var raw = raw
    raw.extendedDynamicRangeAmount = options.resolved == .high ? 1 : 0
    let rendition = try raw.rendition()
    pixels = rendition
    headroom = Double(max(rendition.info.headroom, 1))
    picture = DisplayPicture(rendition, contentHeadroom: headroom)
    format = PictureFormat(
      .sdr, primaries: rendition.info.primaries, bitDepth: 16, size: rendition.size)
    (metadata, notes, still) = (raw.properties, raw.warnings, nil)
  }
}
