import Export
import Formats
import Foundation
public import HDRRender
import ImageCore
public import ImageFilters
import Readers
public import Recipes
import Writers

/// One finished picture in, one file of another kind out.
///
/// What the output can hold is kept: of a picture with a gain map or coded in PQ or HLG all light
/// for an output of high range, tone-mapped, never clipped, for one of standard range. Standard
/// range becomes high range with its white at 203 cd/m² (BT.2408), no brighter. Colors that the
/// output's primaries do not hold are brought to their surface.
public struct Converter: Sendable {
  /// What is written.
  public var output: Recipe.Output
  /// What is done to the picture first, on a gain map as on its base.
  public var edits: [any ImageFilter] = []
  /// How the picture is shown to the output: `high` and `headroom` nil keep all of it.
  public var range = DisplayRendering.DynamicRange.high
  /// The display headroom to convert for, a ratio to reference white, 1 and more; nil for all that
  /// picture and output hold.
  public var headroom: Double?
  /// What becomes of a gain map where the output holds one.
  public var gainMap: GainMapPolicy
  /// Threads that render and encode; results do not depend on it.
  public var workers: Int

  /// What becomes of a gain map.
  public enum GainMapPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It goes over as it is, with the base it belongs to, where the base fits the output; else
    /// `rebuild`.
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
  public func convert(_ input: String, to target: String) throws(DevelopError) -> PictureReport {
    let start = ContinuousClock.now
    do {
      try output.validate()
      if let headroom, !(headroom >= 1) {
        throw ReadError(.badSetting, "headroom is \(headroom); it takes 1 and more")
      }
      let image = try StillImage(contentsOf: URL(fileURLWithPath: input))
      let finished = try finished(image)
      let written = try StillExporter(output.encoding, workers: workers)
        .write(finished, metadata: image.metadata, to: target)
      return PictureReport(
        inputs: [input], format: output.format, written: written, notes: image.notes, since: start)
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}

extension Converter {
  /// The renditions of `image` that the output asks for.
  private func finished(_ image: StillImage) throws -> FinishedPicture {
    let picture = try edited(
      gainMap == .drop && image.gainMap != nil
        ? DisplayPicture(try image.base(), contentHeadroom: 1) : try image.picture())
    func shown(_ rendering: DisplayRendering) -> any PixelSource<DisplayReferred> {
      PrimariesConversion(rendering(picture), to: output.primaries)
    }
    let standard = DisplayRendering(range == .clamped ? range : .standard, displayHeadroom: 1)
    guard output.isHDR else { return FinishedPicture(picture: shown(standard)) }
    let wanted = min(headroom ?? picture.contentHeadroom, picture.contentHeadroom)
    let isWhole = range == .high && wanted >= picture.contentHeadroom
    var finished = FinishedPicture(
      picture: shown(DisplayRendering(range, displayHeadroom: wanted)), light: output.light)
    if isWhole, edits.isEmpty { finished.light = output.light.filled(from: carried(image)) }
    guard output.format.hasGainMap else { return finished }
    finished.standard = shown(standard)
    if gainMap == .keep, isWhole, output.gainMap == GainMapChoice() {
      finished.keepGainMap(of: picture)
    }
    return finished
  }

  private func edited(_ picture: DisplayPicture) throws -> DisplayPicture {
    if edits.isEmpty { return picture }
    switch picture.content {
    case .gainMap(let map):
      return DisplayPicture(try map.edited(by: edits, workers: workers))
    case .light(let light):
      let result = try light.edited(by: edits)
      // An edit changes what is stated of the brightest light as it does the bound of the channels.
      let gain = Double(result.info.headroom) / max(Double(light.info.headroom), 1e-9)
      return DisplayPicture(
        result, contentHeadroom: picture.contentHeadroom * gain, isAbsolute: picture.isAbsolute)
    }
  }

  /// What the source says of light and still holds for the output: of display and content where the
  /// light is coded as it was, of the surroundings always. Levels are measured.
  private func carried(_ image: StillImage) -> HDRMetadata {
    var light = image.light
    light.contentLight = nil
    let target = OutputFormat(
      pathExtension: output.format.pathExtension, keeping: image.dynamicRange)
    if target != output.format || !image.isHighDynamicRange {
      (light.masteringDisplay, light.contentVolume) = (nil, nil)
    }
    return light.only(output.format.lightFacts)
  }
}
