import Batch
import Develop
import RawFilter
import Recipes

/// Series of raws that are developed one after another: values for the complete series are
/// measured before the first raw that needs them.
extension DevelopCommand {
  /// Whether a raw has a series without an entry for it.
  func lacksEntry(_ plan: RecipePlanner.Plan, _ info: SourceInfo) throws -> Bool {
    guard let reference = plan.recipe.series(of: info, colorMatrix: rawOptions.colorMatrix) else {
      return false
    }
    do { return try SeriesFile.read(reference.path).entry(of: reference.key) == nil } catch {
      throw DevelopError.raw(error)
    }
  }

  /// Makes the entries that the series of `inputs` lack. Raws that cannot be opened or planned are
  /// left out: they fail when they are developed.
  func makeSeries(
    _ inputs: ArraySlice<String>, _ planner: RecipePlanner, _ names: OutputNames
  ) throws {
    let start = ContinuousClock.now
    let frames = inputs.filter { $0 != StandardStreams.input }.compactMap {
      input -> SeriesMaker.Frame? in
      guard let info = try? isolation.openRaw(input).info,
        let recipe = try? planner.plan(names.source(input), info).recipe,
        let reference = recipe.series(of: info, colorMatrix: rawOptions.colorMatrix)
      else { return nil }
      return SeriesMaker.Frame(source: ArgumentPath.name(input), reference: reference) {
        try isolation.openRaw(input).seriesFindings(developer(recipe))
      }
    }
    try SeriesMaker.make(frames) { name in
      Terminal.show("\(name): measuring for the series", nil, since: start)
    }
    Terminal.clearProgress()
  }
}
