package import ImageCore

extension SensorData {
  /// The part in `rect`, which must lie inside.
  package func part(_ rect: PixelRect) -> SensorData {
    let perPixel = samplesPerPixel
    let stride = rect.width * perPixel
    let part = RawSamples(format: samples.format, stride: stride, rows: rect.height) { target in
      for y in 0..<rect.height {
        switch samples.format {
        case .uint16:
          (target.assumingMemoryBound(to: UInt16.self) + y * stride).update(
            from: samples.counts(row: rect.y + y) + rect.x * perPixel, count: stride)
        case .float32:
          (target.assumingMemoryBound(to: Float.self) + y * stride).update(
            from: samples.floats(row: rect.y + y) + rect.x * perPixel, count: stride)
        }
      }
    }
    return SensorData(
      size: rect.size, layout: layout.part(rect), samples: part,
      levels: levels.part(rect, perPixel))
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
