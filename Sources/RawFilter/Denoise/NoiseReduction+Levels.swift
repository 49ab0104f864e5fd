import ImageCore

/// The order of the levels of one tile.
extension NoiseReduction {
  /// Fills `work.smoothed` with the tile's brightness and color after shrinkage.
  func smooth(_ tile: PixelRect, _ work: NoiseWorkspace) {
    let levels = work.levels
    work.smoothed.place(tile)
    work.load(source, input(for: tile), scale)
    if let luminance {
      luminance.apply(levels[0], 0, to: work.smoothed, rect: tile, work: work.rows)
    } else {
      copy(levels[0], 0..<1, to: work.smoothed)
    }
    guard !color.isEmpty else { return copy(levels[0], 1..<3, to: work.smoothed) }
    let areas = areas(for: tile)
    for level in 1...2 {
      levels[level].place(areas.known[level])
      NoisePyramid.halve(levels[level - 1], into: levels[level], planes: 1..<3)
    }
    shrink(levels[2], 2, to: work.coarse, areas.made[2], work)
    for level in [1, 0] {
      work.change.place(areas.made[level + 1])
      NoisePyramid.subtract(
        levels[level + 1], from: work.coarse, into: work.change, planes: 1..<3)
      NoisePyramid.add(
        work.change, to: levels[level], into: work.corrected,
        color[level][0].input(for: areas.made[level]), planes: 1..<3, line: work.line)
      if level == 0 {
        for plane in 1..<3 {
          color[0][plane - 1].apply(
            work.corrected, plane, to: work.smoothed, rect: tile, work: work.rows)
        }
      } else {
        shrink(work.corrected, level, to: work.coarse, areas.made[level], work)
      }
    }
  }

  /// Pixels that are read to make `tile`.
  func input(for tile: PixelRect) -> PixelRect {
    var area = tile
    if let luminance { area = area.union(luminance.input(for: tile)) }
    if !color.isEmpty { area = area.union(areas(for: tile).known[0]) }
    return area
  }

  /// For each level what is made of it, and what must be known of it.
  private func areas(for tile: PixelRect) -> (made: [PixelRect], known: [PixelRect]) {
    var made = [tile]
    for level in 0..<2 {
      made.append(color[level][0].input(for: made[level]).halfSizeNeighbors)
    }
    let quarter = color[2][0].input(for: made[2])
    let half = quarter.doubleSize.union(color[1][0].input(for: made[1]))
    let full = half.doubleSize.union(color[0][0].input(for: tile))
    return (made, [full, half, quarter])
  }

  private func shrink(
    _ layer: NoiseLayer, _ level: Int, to output: NoiseLayer, _ rect: PixelRect,
    _ work: NoiseWorkspace
  ) {
    output.place(rect)
    for plane in 1..<3 {
      color[level][plane - 1].apply(layer, plane, to: output, rect: rect, work: work.rows)
    }
  }

  private func copy(_ layer: NoiseLayer, _ planes: Range<Int>, to output: NoiseLayer) {
    let rect = output.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        output.at(plane, rect.x, y).update(from: layer.at(plane, rect.x, y), count: rect.width)
      }
    }
  }
}
