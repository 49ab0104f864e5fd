extension PixelSource {
  /// Content light levels of the whole picture, which is read in bands on up to `workers` threads.
  package func lightStatistics(
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> ContentLightStatistics {
    let bandHeight = 256
    let pool = BufferPool()
    let bands = try Parallel.map(
      count: (size.height + bandHeight - 1) / bandHeight, workers: workers
    ) { index throws(PixelError) in
      let y = index * bandHeight
      let rect = PixelRect(
        x: 0, y: y, width: size.width, height: min(bandHeight, size.height - y))
      return try pool.withBuffer(rect.size) { buffer throws(PixelError) in
        try read(rect, into: buffer)
        var statistics = ContentLightStatistics()
        statistics.add(buffer)
        return statistics
      }
    }
    return bands.reduce(into: ContentLightStatistics()) { $0.add($1) }
  }
}
