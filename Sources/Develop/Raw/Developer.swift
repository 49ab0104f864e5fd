import Export
// The paths of files use its types.
@_exported public import Formats
import Foundation
import HDRRender
public import ImageCore
import ImageFilters
public import RawFilter
public import Recipes
import Writers

/// Develops a raw by a recipe into a file for each of the recipe's outputs.
public struct Developer: Sendable {
  /// The recipe.
  public var recipe: Recipe
  /// Number of threads; results do not depend on it.
  public var workers: Int
  /// A color matrix for cameras that have none; see `RAWFilter/colorMatrix`.
  public var colorMatrix: [Double]?
  /// A lens database other than the system's; see `RAWFilter/lensDatabasePath`.
  public var lensDatabasePath: String?
  /// Descriptive metadata of a sidecar of another program: rating, label, keywords, rights, as an
  /// XMP packet, which overrides the raw's own; see `RecipeResolver/Resolved/description`.
  public var sidecarDescription: [UInt8]?
  /// Whether the demosaiced picture, 12 bytes a pixel up to `RAWFilter/cacheLimitBytes`, is kept
  /// in memory where several outputs of one size need it. Otherwise it is computed for each.
  /// Results do not depend on it.
  public var keepsPictures = true
  /// Where its memory is set aside.
  package var budget = MemoryBudget.shared

  /// The progress of the work.
  public enum Progress: Sendable, Hashable {
    /// The raw is being opened and decoded.
    case decoding
    /// Fraction of all outputs together that has been rendered and encoded.
    case rendering(Double)
  }

  /// A developer by `recipe`; 0 `workers` are one for each core.
  public init(recipe: Recipe = Recipe(), workers: Int = 0, colorMatrix: [Double]? = nil) {
    self.recipe = recipe
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
    self.colorMatrix = colorMatrix
  }

  /// Develops the raw at `input` into the first of the recipe's outputs and writes it to `output`,
  /// completely or not at all. An output that is the raw, or a file that the recipe names, is
  /// refused before anything is decoded.
  public func develop(
    _ input: String, to output: OutputDestination,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(DevelopError) -> DevelopReport {
    var single = self
    single.recipe.outputs = [Recipe.onlyOutput: recipe.output]
    let reports = try single.develop(
      try Self.open(input), named: input, to: [Recipe.onlyOutput: output], progress: progress)
    return reports[0]
  }

  /// Opens the raw at `input` without decoding its pixels.
  public static func open(
    _ input: String, limits: DecodeLimits = DecodeLimits()
  ) throws(DevelopError) -> RAWFilter {
    do {
      return try MeasuredStage.open.measure { () throws(RAWError) in
        try RAWFilter(url: URL(fileURLWithPath: input), limits: limits)
      }
    } catch { throw .raw(error) }
  }

  /// Develops an opened raw into the outputs of the recipe that have a destination, by name, and
  /// writes each file completely or not at all. The raw is decoded once. Properties of `filter`
  /// that are not adjustments are preserved. Reports are in the order of the outputs' names.
  public func develop(
    _ filter: RAWFilter, named input: String, to destinations: [String: OutputDestination],
    sample: PictureSample? = nil, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(DevelopError) -> [DevelopReport] {
    do {
      try recipe.validate()
      try recipe.validateScene()
      let outputs = recipe.outputs.filter { destinations[$0.key] != nil }
        .sorted { $0.key < $1.key }
      // A profile that cannot be used is found before anything is written.
      let exporters = try outputs.map {
        try $0.value.format.isDeveloped ? $0.value.exporter(workers: workers) : nil
      }
      let filters = try outputs.map { try prepared(filter, for: $0.value) }
      let targets = try zip(outputs, filters).compactMap { output, filter in
        try destinations[output.key].map { try output.value.checked($0, of: filter.sourceFiles) }
      }
      let files = targets.compactMap { $0.url?.standardizedFileURL.path }
        .filter { !$0.hasPrefix("/dev/") }
      guard Set(files).count == files.count else {
        throw WriteError(
          .badSetting, "two outputs would be written to one file; name another for one of them",
          path: input)
      }
      let memory = MemoryEstimate(
        pixels: filter.rawFile.info.size.area, recipe: recipe,
        memoryBytes: keepsPictures ? budget.bytes : 0)
      return try budget.withRoom(for: memory.ofJob(threads: workers)) {
        progress(.decoding)
        // DNGs do not measure the developed picture.
        let sampled = outputs.firstIndex { $0.value.format.isDeveloped }
        if sampled == nil { try sample?.add(previewOf: filter) }
        return try outputs.enumerated().map { index, output in
          try Cancellation.check()
          let report: @Sendable (Double) -> Void = { fraction in
            progress(.rendering((Double(index) + fraction) / Double(outputs.count)))
          }
          guard let exporter = exporters[index] else {
            return try writeDNG(
              filters[index], named: input, output, to: targets[index], progress: report)
          }
          // Later outputs of this size need the same picture.
          let isUsedAgain = ((index + 1)..<outputs.count).contains {
            exporters[$0] != nil && filters[$0].isReduced == filters[index].isReduced
          }
          return try develop(
            filters[index], named: input, output, by: exporter, to: targets[index],
            keepsDemosaiced: memory.keepsPictures && isUsedAgain,
            isLast: index + 1 == outputs.count,
            sample: index == sampled ? sample : nil, progress: report)
        }
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}

extension Developer {
  /// Why the properties `names` have no effect on `given` in the recipe's output, by name; see
  /// `RAWFilter/reasonWithoutEffect(_:called:)`.
  package func reasonsWithoutEffect(
    _ names: [String], on given: RAWFilter, called: (String) -> String
  ) -> [(name: String, reason: String)] {
    // What fails here is said when it is developed.
    guard let filter = try? prepared(given, for: recipe.output) else { return [] }
    return names.compactMap { name in
      filter.reasonWithoutEffect(name, called: called).map { (name, $0) }
    }
  }

  /// `filter` with the settings for `output`.
  func prepared(_ filter: RAWFilter, for output: Recipe.Output) throws -> RAWFilter {
    var filter = filter
    filter.settings = recipe.settings(for: output)
    filter.outputPrimaries = output.primaries
    filter.workers = workers
    filter.colorMatrix = colorMatrix
    filter.lensDatabasePath = lensDatabasePath
    try reduce(&filter, for: output)
    return filter
  }

  private func develop(
    _ filter: RAWFilter, named input: String, _ named: (key: String, value: Recipe.Output),
    by exporter: StillExporter, to target: OutputDestination, keepsDemosaiced: Bool, isLast: Bool,
    sample: PictureSample?, progress: @escaping @Sendable (Double) -> Void
  ) throws -> DevelopReport {
    let start = ContinuousClock.now
    let output = named.value
    var filter = filter
    if let limit = recipe.headroomLimit(for: output) { try filter.limitHeadroom(to: limit) }
    let plan = try filter.plan(keepsDemosaiced: keepsDemosaiced)
    let (rendition, standard) = try renditions(
      of: plan, filter, for: output, keepsDemosaiced: keepsDemosaiced, isLast: isLast)
    progress(0)
    let limit = try size(of: filter, for: output)
    let picture = FiniteSource(try reduced(rendition, to: limit))
    sample?.begin(picture.size, info: picture.info)
    let sampled: any PixelSource<DisplayReferred> =
      if let sample { picture.seen { sample.add($0, at: $1) } } else { picture }
    var finished = FinishedPicture(
      picture: sampled.reporting(progress: progress),
      hdrMetadata: output.light)
    finished.standard = try standard.map { try reduced($0, to: limit) }
    finished.isScene = recipe.raw.isScene
    let own = try metadata(of: filter, for: output, by: exporter)
    let metadata = recipe.raw.isScene ? own.stating(scene: plan) : own
    let written: WrittenFile
    do {
      written = try MeasuredStage.codes.measure {
        try exporter.write(finished, metadata: metadata, to: target)
      }
    } catch  where !picture.isFinite {
      throw RAWError(
        .damaged, .color,
        "its color tables or levels give non-finite pixels; copy the file again or use another "
          + "camera profile", path: input)
    }
    var report = DevelopReport(
      input: input, name: named.key,
      WrittenPicture(
        output, written, notes: rendition.warnings, remedies: filter.remedies, since: start))
    report.fileHeadroom = rendition.fileHeadroom
    report.extendedDynamicRangeAmount = filter.extendedDynamicRangeAmount
    report.baselineExposure = try filter.resolvedBaselineExposure()
    return report
  }

  /// The picture, and its standard rendition where the output has a gain map.
  private func renditions(
    of plan: DevelopPlan, _ filter: RAWFilter, for output: Recipe.Output, keepsDemosaiced: Bool,
    isLast: Bool
  ) throws -> (RAWRendition, standard: RAWRendition?) {
    guard output.format.hasGainMap else { return (try plan.rendition(), nil) }
    var filter = filter
    filter.extendedDynamicRangeAmount = 0
    let (own, standard) = try plan.renditions(
      with: try filter.plan(keepsDemosaiced: keepsDemosaiced), isLast: isLast)
    return (own, standard)
  }

  /// The picture, reduced.
  private func reduced(
    _ picture: any PixelSource<DisplayReferred>, to size: PixelSize?
  ) throws -> any PixelSource<DisplayReferred> {
    guard let size else { return picture }
    return try picture.edited(by: [try ResizeFilter(to: size)])
  }

  /// The size of the picture for the output's maximum size; nil where it fits. By the aspect ratio
  /// of the full picture: a picture that is developed smaller has rounded sides.
  private func size(of filter: RAWFilter, for output: Recipe.Output) throws -> PixelSize? {
    guard let side = output.maxSize else { return nil }
    var full = filter
    full.scaleFactor = recipe.settings(for: output).scaleFactor
    let size = full.outputSize
    return max(size.width, size.height) <= side ? nil : size.reduced(longerSide: side)
  }

  /// Develops the raw at the output's size, or where a crop or rotation rounds its sides otherwise,
  /// at one just above it: faster than reducing the picture.
  private func reduce(_ filter: inout RAWFilter, for output: Recipe.Output) throws {
    guard let target = try size(of: filter, for: output) else { return }
    let size = filter.outputSize
    let ratio = Double(max(target.width, target.height)) / Double(max(size.width, size.height))
    let scale = Double(filter.scaleFactor) * ratio
    var exact = filter
    exact.scaleFactor = Float(scale)
    if exact.outputSize != target {
      // The last reduction decides the size.
      let margin = 1.5 / Double(max(min(target.width, target.height), 1))
      exact.scaleFactor = Float(scale * (1 + max(margin, 0.0005)))
    }
    if exact.scaleFactor < 1 { filter = exact }
  }
}
