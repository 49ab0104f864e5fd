import ImageCore
package import RawFilter

extension Developer {
  /// What `filter` contributes to a series by the camera profile of `settings` or by `colorMatrix`,
  /// and how reliable its preview is, see `RAWFilter/seriesFindings()`; 0 `workers` are one for
  /// each core.
  package static func seriesFindings(
    _ filter: RAWFilter, by settings: RAWSettings, colorMatrix: [Double]?, workers: Int
  ) throws(DevelopError) -> (findings: SeriesFindings, trust: Int) {
    var filter = filter
    (filter.settings, filter.colorMatrix) = (settings, colorMatrix)
    filter.workers = workers > 0 ? workers : Parallel.defaultWorkers
    do { return try filter.seriesFindings() } catch { throw .raw(error) }
  }
}
