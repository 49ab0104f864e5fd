import Export
import Foundation
import HDRRender
import ImageCore
import ImageFilters
public import RawFilter
public import Recipes
import Writers

/// One raw and one recipe in, a file for each of the recipe's outputs out.
public struct Developer: Sendable {
  /// What is made of each raw.
  public var recipe: Recipe
  /// Threads that render and encode; results do not depend on it.
  public var workers: Int
  /// A color matrix for cameras that have none; see `RAWFilter/colorMatrix`.
  public var colorMatrix: [Double]?
  /// A lens database other than the system's; see `RAWFilter/lensDatabasePath`.
  public var lensDatabasePath: String?
  /// Whether the camera's picture, 12 bytes a pixel up to `RAWFilter/cacheLimitBytes`, is kept in
  /// memory where several renderings are made of it: outputs of one size, both ends of a gain map.
  /// Else it is made again for each. Results do not depend on it.
  public var keepsPictures = true
  /// Ends the work early, at its next band; it then throws ``DevelopError/cancelled(path:)``.
  public var cancellation: DevelopCancellation?

  /// Where the work stands.
  public enum Progress: Sendable, Hashable {
    /// The raw is being opened and decoded.
    case decoding
    /// The share of the picture, or of all pictures together, that has been rendered and encoded.
    case rendering(Double)
  }

  /// A developer that follows `recipe`.
  public init(recipe: Recipe = Recipe(), workers: Int = 0, colorMatrix: [Double]? = nil) {
    self.recipe = recipe
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
    self.colorMatrix = colorMatrix
  }

  /// Develops the raw at `input` into the first of the recipe's outputs and puts it at `output`,
  /// whole or not at all.
  public func develop(
    _ input: String, to output: String, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(DevelopError) -> DevelopReport {
    var single = self
    single.recipe.outputs = [Recipe.onlyOutput: recipe.output]
    let reports = try single.develop(
      try Self.open(input), named: input, to: [Recipe.onlyOutput: output], progress: progress)
    return reports[0]
  }

  /// Opens the raw at `input`.
  public static func open(_ input: String) throws(DevelopError) -> RAWFilter {
    do { return try RAWFilter(url: URL(fileURLWithPath: input)) } catch { throw .raw(error) }
  }

  /// Develops an opened raw into those outputs of the recipe that `paths` has a place for, by name,
  /// and puts each there, whole or not at all. The raw is decoded once. What `filter` is set to
  /// beside the recipe stays. Reports come in the order of the outputs' names.
  public func develop(
    _ filter: RAWFilter, named input: String, to paths: [String: String],
    sample: PictureSample? = nil, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(DevelopError) -> [DevelopReport] {
    do {
      try recipe.validate()
      progress(.decoding)
      let outputs = recipe.outputs.filter { paths[$0.key] != nil }.sorted { $0.key < $1.key }
      let filters = try outputs.map { try prepared(filter, for: $0.value) }
      return try outputs.enumerated().map { index, output in
        if cancellation?.isCancelled ?? false { throw CancellationError() }
        // What gain maps, and later outputs of this size, are made of need not be made again.
        let isUsedAgain =
          output.value.format.hasGainMap
          || filters[(index + 1)...].contains { $0.isReduced == filters[index].isReduced }
        return try develop(
          filters[index], named: input, output, to: paths[output.key] ?? "",
          keepsDemosaiced: keepsPictures && isUsedAgain, sample: index == 0 ? sample : nil
        ) { share in
          progress(.rendering((Double(index) + share) / Double(outputs.count)))
        }
      }
    } catch {
      if cancellation?.isCancelled ?? false { throw .cancelled(path: input) }
      throw DevelopError(error, path: input)
    }
  }
}

extension Developer {
  /// `filter` with all that `output` asks for.
  private func prepared(_ filter: RAWFilter, for output: Recipe.Output) throws -> RAWFilter {
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
    to path: String, keepsDemosaiced: Bool, sample: PictureSample?,
    progress: @escaping @Sendable (Double) -> Void
  ) throws -> DevelopReport {
    let start = ContinuousClock.now
    let output = named.value
    var filter = filter
    var plan = try filter.plan(keepsDemosaiced: keepsDemosaiced)
    if let limit = recipe.headroomLimit(for: output), plan.headroom > limit {
      filter.extendedDynamicRangeAmount = Headroom.amount(
        of: plan.fileHeadroom, reaching: limit)
      plan = try filter.plan(keepsDemosaiced: keepsDemosaiced)
    }
    let rendition = try plan.rendition()
    progress(0)
    let picture = try framed(rendition, for: output)
    sample?.begin(picture.size, info: picture.info)
    var finished = FinishedPicture(
      picture: ProgressReportingSource(
        picture, sample: sample, cancellation: cancellation, report: progress),
      light: output.light)
    if output.format.hasGainMap {
      var standard = filter
      standard.extendedDynamicRangeAmount = 0
      finished.standard = try framed(
        try standard.plan(keepsDemosaiced: keepsDemosaiced).rendition(), for: output)
    }
    let exporter = try StillExporter(output.encoding, workers: workers)
    let metadata = output.metadata.applied(to: filter.properties)
    let isWanted: @Sendable () -> Bool = { [cancellation] in
      !(cancellation?.isCancelled ?? false)
    }
    let written = try AtomicFile.write(to: path, while: isWanted) {
      try exporter.write(finished, metadata: metadata, to: path)
    }
    return DevelopReport(
      input: input, output: path, name: named.key, format: output.format, written: written,
      fileHeadroom: rendition.fileHeadroom, amount: filter.extendedDynamicRangeAmount,
      baselineExposure: try filter.resolvedBaselineExposure(),
      warnings: rendition.warnings + written.notes,
      seconds: start.duration(to: .now) / .seconds(1))
  }

  /// The picture in its frame and size.
  private func framed(
    _ picture: any PixelSource<DisplayReferred>, for output: Recipe.Output
  ) throws -> any PixelSource<DisplayReferred> {
    var edits = try recipe.render.frame(of: picture.size)
    if let side = output.maxSize { edits.append(try ResizeFilter.thumbnail(maxPixelSize: side)) }
    return try picture.edited(by: edits)
  }

  /// Lets the raw be developed no larger than the output needs, which is faster than to reduce the
  /// picture.
  private func reduce(_ filter: inout RAWFilter, for output: Recipe.Output) throws {
    guard let side = output.maxSize else { return }
    let whole = filter.outputSize
    var size = whole
    for edit in try recipe.render.frame(of: whole) {
      size = try edit.applied(to: EmptyPicture(size: size)).size
    }
    let share = Double(side) / Double(max(size.width, size.height))
    // A little larger than needed, so that the last reduction decides the size.
    let scale = Double(filter.scaleFactor) * share * 1.0005
    if scale < 0.5 { filter.scaleFactor = Float(scale) }
  }
}

/// A picture without light, to ask edits for sizes.
private struct EmptyPicture: PixelSource {
  typealias State = DisplayReferred
  let size: PixelSize
  var info: DisplayReferred.Info { .init(primaries: .bt2020, headroom: 1) }
  func read(_ rect: PixelRect, into buffer: PlanarBuffer) { buffer.reshape(rect.size) }
}
