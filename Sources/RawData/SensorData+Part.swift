package import ImageCore

extension SensorData {
  /// The part in `rect`, which must lie inside.
  package func part(_ rect: PixelRect) throws(PixelError) -> SensorData {
    var part = SensorData(
      size: rect.size, layout: layout.part(rect),
      samples: try samples.part(
        columns: rect.x * samplesPerPixel..<rect.endX * samplesPerPixel, rows: rect.y..<rect.endY),
      levels: levels.part(rect, samplesPerPixel))
    part.gains = gains?.part(rect)
    return part
  }
}

extension SensorData.Layout {
  /// The layout of the part in `rect`.
  package func part(_ rect: PixelRect) -> SensorData.Layout {
    if case .mosaic(let cfa) = self { .mosaic(cfa.shifted(x: rect.x, y: rect.y)) } else { self }
  }
}

extension SensorLevels {
  fileprivate func part(_ rect: PixelRect, _ perPixel: Int) -> SensorLevels {
    var part = self
    for y in 0..<patternHeight {
      for x in 0..<patternWidth {
        let from = (y + rect.y) % patternHeight * patternWidth + (x + rect.x) % patternWidth
        for sample in 0..<perPixel {
          part.black[(y * patternWidth + x) * perPixel + sample] = black[from * perPixel + sample]
        }
      }
    }
    if !deltaColumn.isEmpty { part.deltaColumn = Array(deltaColumn[rect.x..<rect.endX]) }
    if !deltaRow.isEmpty { part.deltaRow = Array(deltaRow[rect.y..<rect.endY]) }
    return part
  }
}
