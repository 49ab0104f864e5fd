package import RawDecode
package import RawFilter

extension BracketMerge.Merged {
  /// The merged samples, and ``filter`` of them, which does not merge again: for a file of the
  /// samples that has previews, too. They are held as long as the filter is.
  package func held(workers: Int) throws(RAWError) -> (data: SensorData, filter: RAWFilter) {
    let file = filter.rawFile
    let data = try file.decode(workers: workers)
    let replacement = SampleReplacement(
      info: file.info, contentUUID: file.contentUUID, sources: file.sources
    ) {
      (_) throws(RAWError) in data
    }
    return (data, filter.replacingSamples(replacement, stops: 0))
  }
}
