import Export
public import Formats
import Foundation
import HDRRender
public import ImageCore
import ImageFilters
import PictureLoading
import RawFilter
import Readers
import Recipes
import Writers

/// A small SDR picture of any supported file, for file managers: of a finished picture its SDR
/// rendition, of a raw its embedded preview, turned upright, or a development where it has none of
/// that size. A raw that cannot be decoded gives its preview, with a note, and a damaged picture
/// the part that its decoder can read. 8-bit PNG in sRGB. Costs the decoding of the picture or of
/// the preview.
public struct Thumbnailer: Sendable {
  /// Sizes of the longer side that file managers request.
  public static let sides = 16...1024
  /// Maximum number of pixels of the longer side; smaller pictures are not enlarged.
  public var maxPixelSize: Int
  /// Number of threads; results do not depend on it.
  public var workers: Int
  /// Limits for the file.
  public var limits = DecodeLimits()

  /// 0 `workers` are one for each core.
  public init(maxPixelSize: Int = 256, workers: Int = 0) {
    self.maxPixelSize = maxPixelSize
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
  }

  /// Writes the thumbnail of the file at `input` to `target`, completely or not at all. A target
  /// that is the file itself is refused.
  public func write(
    _ input: String, to target: OutputDestination
  ) throws(DevelopError) -> PictureReport {
    let start = ContinuousClock.now
    var output = Recipe.Output()
    output.format = .pngSDR
    output.sdrBits = 8
    output.colorSpace = .sRGB
    do {
      let url = URL(fileURLWithPath: input)
      let target = try output.checked(target, of: Set([FileIdentity(url)].compactMap { $0 }))
      let (picture, outside) = try reduced(url)
      let shown = PrimariesConversion(
        DisplayRendering(.standard, displayHeadroom: 1)(picture), to: output.primaries, outside)
      let written = try StillExporter(output.encoding, workers: workers).write(
        FinishedPicture(picture: shown), to: target)
      return PictureReport(
        inputs: [input], WrittenPicture(output, written, notes: picture.notes, since: start))
    } catch {
      throw DevelopError(error, path: input)
    }
  }

  private func reduced(_ url: URL) throws -> (DisplayPicture, PrimariesConversion.Outside) {
    let file: PictureFile
    do throws(ReadError) { file = try PictureFile(url, limits: limits, policy: .show) } catch {
      guard [.unknownKind, .unsupported, .damaged].contains(error.code),
        let (preview, missing) = EmbeddedPreview.ofUndecoded(url, limits: limits),
        let shown = reduced(preview, missing, because: error.message)
      else { throw error }
      return (shown, .surface)
    }
    return switch file {
    case .still(_, let picture): (try picture.thumbnail(maxPixelSize: maxPixelSize), .surface)
    case .raw(let raw): (try reduced(raw), .compressed)
    }
  }

  private func reduced(_ raw: RAWFilter) throws -> DisplayPicture {
    let preview = raw.previewImage
    if let preview, max(preview.size.width, preview.size.height) >= maxPixelSize,
      let shown = reduced(preview, raw.previewOrientation)
    {
      return shown
    }
    var small = raw
    small.extendedDynamicRangeAmount = 0
    small.scaleFactor = Float(
      min(1, Double(maxPixelSize) / Double(max(raw.nativeSize.width, raw.nativeSize.height, 1))))
    do {
      return try DisplayPicture(small.rendition(), contentHeadroom: 1)
        .thumbnail(maxPixelSize: maxPixelSize)
    } catch let error as RAWError where [.unsupported, .damaged].contains(error.code) {
      guard let preview,
        let shown = reduced(preview, raw.previewOrientation, because: error.message)
      else { throw error }
      return shown
    }
  }

  /// A preview, turned by `missing`; nil where it cannot be read. `reason` is why the raw picture
  /// itself cannot be shown; where it can, the preview has to be complete.
  private func reduced(
    _ preview: EmbeddedPreview, _ missing: Orientation, because reason: String? = nil
  ) -> DisplayPicture? {
    let policy = reason == nil ? ReadPolicy.whole : .show
    guard let image = try? StillImage(preview.jpeg, limits: limits, policy: policy),
      let picture = try? image.picture(),
      let small = try? picture.thumbnail(maxPixelSize: maxPixelSize),
      var shown = missing == .up ? small : try? small.edited(by: [OrientFilter(missing)])
    else { return nil }
    if let reason { shown.notes.append(EmbeddedPreview.insteadNote(reason)) }
    return shown
  }
}
