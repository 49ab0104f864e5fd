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

/// A small SDR picture of any file that is opened here, as file managers show it: of a finished
/// picture its SDR rendition, of a raw the preview that it holds, turned upright, or a development
/// where it holds none. 8-bit PNG in sRGB. Costs the decoding of the picture or of the preview.
public struct Thumbnailer: Sendable {
  /// Maximum number of pixels of the longer side; smaller pictures are not enlarged.
  public var maxPixelSize: Int
  /// Number of threads; results do not depend on it.
  public var workers: Int
  /// What the file may cost.
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
    do {
      let url = URL(fileURLWithPath: input)
      let target = try output.checked(target, of: Set([FileIdentity(url)].compactMap { $0 }))
      let (picture, outside) = try reduced(url)
      let shown = PrimariesConversion(
        DisplayRendering(.standard, displayHeadroom: 1)(picture), to: output.primaries, outside)
      let written = try StillExporter(output.encoding, workers: workers).write(
        FinishedPicture(picture: shown), to: target)
      return PictureReport(
        inputs: [input], output, written: written, notes: picture.notes, since: start)
    } catch {
      throw DevelopError(error, path: input)
    }
  }

  private func reduced(_ url: URL) throws -> (DisplayPicture, PrimariesConversion.Outside) {
    switch try PictureFile(url, limits: limits) {
    case .still(_, let picture):
      (try picture.thumbnail(maxPixelSize: maxPixelSize), .surface)
    case .raw(let raw): (try reduced(raw), .compressed)
    }
  }

  private func reduced(_ raw: RAWFilter) throws -> DisplayPicture {
    var raw = raw
    if let preview = raw.previewImage,
      max(preview.size.width, preview.size.height) >= maxPixelSize,
      let image = try? StillImage(preview.jpeg, limits: limits), let picture = try? image.picture()
    {
      let small = try picture.thumbnail(maxPixelSize: maxPixelSize)
      let missing = raw.previewOrientation
      return missing == .up ? small : try small.edited(by: [OrientFilter(missing)])
    }
    raw.extendedDynamicRangeAmount = 0
    raw.scaleFactor = Float(
      min(1, Double(maxPixelSize) / Double(max(raw.nativeSize.width, raw.nativeSize.height, 1))))
    return try DisplayPicture(raw.rendition(), contentHeadroom: 1)
      .thumbnail(maxPixelSize: maxPixelSize)
  }
}
