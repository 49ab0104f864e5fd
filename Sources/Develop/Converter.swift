import Foundation
import HDRRender
import ImageCore
import Readers
import Writers

/// One finished picture in, one file of another kind out.
///
/// What the output can hold is kept: of a picture with a gain map or coded in PQ or HLG all light for
/// an output of high range, tone-mapped, never clipped, for one of standard range. Standard range
/// becomes high range with its white at 203 cd/m² (BT.2408), no brighter. Colours that the output's
/// primaries do not hold are brought to their surface.
public struct Converter: Sendable {
  /// What is written.
  public var output: Recipe.Output
  /// The display headroom to convert for, a ratio to reference white, 1 and more; nil for all that
  /// picture and output hold.
  public var headroom: Double?
  /// What becomes of a gain map where the output holds one.
  public var gainMap: GainMapPolicy
  /// Threads that render and encode; results do not depend on it.
  public var workers: Int

  /// What becomes of a gain map.
  public enum GainMapPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It goes over as it is, with the base it belongs to, where the base fits the output; else `rebuild`.
    case keep
    /// Only the base goes over.
    case drop
    /// A new one is made from the picture at standard range and at all its headroom.
    case rebuild
  }

  /// A converter to `output`.
  public init(
    output: Recipe.Output, headroom: Double? = nil, gainMap: GainMapPolicy = .keep, workers: Int = 0
  ) {
    self.output = output
    self.headroom = headroom
    self.gainMap = gainMap
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
  }

  /// Converts the picture at `input` and puts the result at `target`, whole or not at all.
  public func convert(_ input: String, to target: String) throws(DevelopError) -> ConvertReport {
    let start = ContinuousClock.now
    do {
      try output.validate()
      if let headroom, !(headroom >= 1) {
        throw ReadError(.badSetting, "headroom is \(headroom); it takes 1 and more")
      }
      let image = try StillImage(contentsOf: URL(fileURLWithPath: input))
      let finished = try finished(image)
      let written = try OutputWriter(output: output, workers: workers)
        .write(finished, metadata: image.metadata, to: target)
      let elapsed = ContinuousClock.now - start
      return ConvertReport(
        input: input, output: target, format: output.format.rawValue, width: written.size.width,
        height: written.size.height, bytes: written.byteCount,
        contentHeadroom: written.statistics.contentHeadroom,
        contentAverageLightLevel: written.statistics.contentAverageLightLevel,
        warnings: image.notes + written.notes,
        seconds: Double(elapsed.components.seconds)
          + Double(elapsed.components.attoseconds) * 1e-18)
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}

extension Converter {
  /// The renditions of `image` that the output asks for.
  private func finished(_ image: StillImage) throws -> FinishedPicture {
    let picture =
      gainMap == .drop && image.gainMap != nil
      ? DisplayPicture(try image.base(), contentHeadroom: 1) : try image.picture()
    let wanted = min(headroom ?? picture.contentHeadroom, picture.contentHeadroom)
    func shown(_ rendering: DisplayRendering) -> any PixelSource<DisplayReferred> {
      PrimariesConversion(rendering(picture), to: output.primaries)
    }
    let standard = DisplayRendering(.standard, displayHeadroom: 1)
    guard output.isHDR else { return FinishedPicture(picture: shown(standard)) }
    var finished = FinishedPicture(
      picture: shown(DisplayRendering(.high, displayHeadroom: wanted)))
    guard output.format.hasGainMap else { return finished }
    finished.standard = shown(standard)
    if gainMap == .keep, headroom == nil, case .gainMap(let kept) = picture.content,
      case .iso(let metadata) = kept.formula, !metadata.isBaseHDR,
      kept.base.info.primaries == output.primaries
    {
      finished.standard = kept.base
      finished.gainMap = StoredGainMap(
        kept.map, metadata: metadata, alternatePrimaries: kept.alternatePrimaries)
    }
    return finished
  }
}

/// What became of one picture: the machine-readable result of `rawdev convert --json`.
public struct ConvertReport: Sendable, Codable {
  /// The picture that was read.
  public var input: String
  /// The file that was written.
  public var output: String
  /// Name of its format.
  public var format: String
  /// Columns of the written picture.
  public var width: Int
  /// Rows of the written picture.
  public var height: Int
  /// Bytes of the file.
  public var bytes: Int
  /// Brightest pixel as a multiple of reference white, measured on what was written.
  public var contentHeadroom: Float
  /// Mean of the largest channel as a multiple of reference white, measured on what was written.
  public var contentAverageLightLevel: Float
  /// What was not as it should be.
  public var warnings: [String]
  /// Wall-clock time.
  public var seconds: Double
}
