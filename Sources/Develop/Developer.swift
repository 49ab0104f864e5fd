import Foundation
import HDRRender
import ImageCore
import RawFilter
import Writers

/// One raw and one recipe in, one file out.
public struct Developer: Sendable {
  /// What is made of each raw.
  public var recipe: Recipe
  /// Threads that render and encode; results do not depend on it.
  public var workers: Int
  /// A colour matrix for cameras that have none; see ``RAWFilter/colorMatrix``.
  public var colorMatrix: [Double]?
  /// A lens database other than the system's; see ``RAWFilter/lensDatabasePath``.
  public var lensDatabasePath: String?

  /// Where the work stands.
  public enum Progress: Sendable {
    /// The raw is being opened and decoded.
    case decoding
    /// The share of the picture that has been rendered and encoded.
    case rendering(Double)
  }

  /// A developer that follows `recipe`.
  public init(recipe: Recipe = Recipe(), workers: Int = 0, colorMatrix: [Double]? = nil) {
    self.recipe = recipe
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
    self.colorMatrix = colorMatrix
  }

  /// Develops the raw at `input` and puts the result at `output`, whole or not at all.
  public func develop(
    _ input: String, to output: String, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(DevelopError) -> DevelopReport {
    let start = ContinuousClock.now
    do {
      progress(.decoding)
      var filter = try RAWFilter(url: URL(fileURLWithPath: input))
      filter.settings = recipe.effectiveSettings
      filter.outputPrimaries = recipe.primaries
      filter.workers = workers
      filter.colorMatrix = colorMatrix
      filter.lensDatabasePath = lensDatabasePath
      let rendition = try filter.rendition()
      progress(.rendering(0))
      let metered = MeteredSource(rendition) { progress(.rendering($0)) }
      var finished = FinishedPicture(picture: metered, light: recipe.output.light)
      if recipe.output.format.hasGainMap {
        var standard = filter
        standard.extendedDynamicRangeAmount = 0
        finished.standard = try standard.rendition()
      }
      let written = try StillExporter(recipe.output.encoding, workers: workers)
        .write(finished, metadata: filter.properties, to: output)
      let elapsed = ContinuousClock.now - start
      let statistics = written.statistics
      return DevelopReport(
        input: input, output: output, format: recipe.output.format.rawValue,
        width: written.size.width, height: written.size.height, bytes: written.byteCount,
        contentHeadroom: statistics.contentHeadroom,
        contentAverageLightLevel: statistics.contentAverageLightLevel,
        maxCLL: statistics.maximumContentNits, maxFALL: statistics.averageNits,
        fileHeadroom: rendition.fileHeadroom,
        extendedDynamicRangeAmount: filter.settings.extendedDynamicRangeAmount,
        baselineExposure: filter.baselineExposure,
        warnings: rendition.warnings + written.notes,
        seconds: Double(elapsed.components.seconds)
          + Double(elapsed.components.attoseconds) * 1e-18)
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}
