extension PixelSource {
  /// Content light levels of the picture, which is read in bands on up to `workers` threads.
  package func lightStatistics(
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> ContentLightStatistics {
    try bands(workers) { buffer in
      var statistics = ContentLightStatistics()
      statistics.add(buffer)
      return statistics
    }.reduce(into: ContentLightStatistics()) { $0.add($1) }
  }

  /// The area of the picture above reference white, read in the same way.
  package func highlightArea(
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> HighlightArea {
    try bands(workers) { buffer in
      var area = HighlightArea()
      area.add(buffer)
      return area
    }.reduce(into: HighlightArea()) { $0.add($1) }
  }

  /// The result of `measure` for each band of the picture.
  private func bands<Found: Sendable>(
    _ workers: Int, _ measure: @Sendable (PlanarBuffer) -> Found
  ) throws(PixelError) -> [Found] {
    let bandHeight = 256
    let pool = BufferPool()
    return try Parallel.map(
      count: (size.height + bandHeight - 1) / bandHeight, workers: workers
    ) { index throws(PixelError) in
      let y = index * bandHeight
      let rect = PixelRect(
        x: 0, y: y, width: size.width, height: min(bandHeight, size.height - y))
      return try pool.withBuffer(rect.size) { buffer throws(PixelError) in
        try read(rect, into: buffer)
        return measure(buffer)
      }
    }
  }
}
