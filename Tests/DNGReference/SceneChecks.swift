import ImageCore
import RawFilter

/// Scene-linear renderings against grids, probes and steps.
struct SceneChecks {
  let reference: ReferenceValues

  /// The picture in linear BT.2020 without any look, by the file's local tone map or without it.
  static func render(
    _ base: RAWFilter, hasMap: Bool = true, profile: String? = nil,
    tables: ProfileTables = .asStored
  ) throws -> Image<DisplayReferred> {
    var filter = base
    filter.settings.look.base = .scene
    filter.settings = filter.settings.resolvedForScene
    filter.settings.baselineExposure = nil  // the file's own
    filter.settings.isHighlightRecoveryEnabled = false
    filter.settings.isLateralColorCorrectionEnabled = false
    filter.settings.demosaicMethod = .fast
    filter.settings.localToneMapAmount = hasMap ? nil : 0
    filter.settings.profileName = profile
    filter.profileTables = tables
    filter.outputPrimaries = .bt2020
    return try filter.outputImage().image
  }

  /// Means over the picture and its cells, and probes where there is no mosaic.
  func compare(
    _ image: Image<DisplayReferred>, with wanted: ReferenceValues.Picture, name: String
  ) -> [Comparison] {
    let isMosaic = reference.isMosaic
    var mean = Comparison(name + " mean", limit: isMosaic ? Limits.mosaicMean : Limits.linear)
    var cell = Comparison(name + " cell", limit: isMosaic ? Limits.mosaicCell : Limits.linear)
    var probe = Comparison(name + " pixels", limit: reference.isLossy ? nil : Limits.linear)
    guard image.size == PixelSize(width: wanted.width, height: wanted.height),
      wanted.grid.count == 6,
      wanted.grid.allSatisfy({ $0.count == 8 && $0.allSatisfy { $0.count == 3 } })
    else {
      mean.fail()
      return [mean, cell, probe]
    }
    let allowance = isMosaic ? Limits.mosaicAllowance : Limits.linearAllowance
    // The reference fills what a transparency mask hides, at the borders, with white.
    let inset = reference.hasTransparency ? 1 : 0
    func inner(_ grid: [[SIMD3<Double>]]) -> [[SIMD3<Double>]] {
      grid.dropFirst(inset).dropLast(inset).map { Array($0.dropFirst(inset).dropLast(inset)) }
    }
    let grid = inner(Self.grid(image))
    let known = inner(wanted.grid.map { $0.map { SIMD3($0[0], $0[1], $0[2]) } })
    for c in 0..<3 {
      let got = grid.joined().reduce(0) { $0 + $1[c] }
      let expected = known.joined().reduce(0) { $0 + $1[c] }
      let count = Double(known.count * (known.first?.count ?? 0))
      mean.add(got / count, wanted: expected / count, allowance: allowance / 10)
    }
    for (row, wantedRow) in zip(grid, known) {
      for (got, expected) in zip(row, wantedRow) {
        let largest = max(abs(expected.x), abs(expected.y), abs(expected.z))
        for c in 0..<3 {
          cell.add(
            got[c], wanted: expected[c], reference: isMosaic ? largest : nil, allowance: allowance)
        }
      }
    }
    if !isMosaic {
      for pixel in wanted.pixels ?? [] {
        let got = image[pixel.x, pixel.y]
        for c in 0..<3 {
          probe.add(Double(got[c]), wanted: pixel.rgb[c], allowance: Limits.linearAllowance)
        }
      }
      for (i, step) in (wanted.steps ?? []).enumerated() {
        let got = image[50 + 100 * i, image.size.height / 2]
        for c in 0..<3 {
          probe.add(Double(got[c]), wanted: step[c], allowance: Limits.linearAllowance)
        }
      }
    }
    return [mean, cell, probe]
  }

  /// Cell (i, j) covers the columns ⌊i·W/8⌋ ..< ⌊(i+1)·W/8⌋ and the rows ⌊j·H/6⌋ ..< ⌊(j+1)·H/6⌋.
  private static func grid(_ image: Image<DisplayReferred>) -> [[SIMD3<Double>]] {
    let size = image.size
    return (0..<6).map { j in
      (0..<8).map { i in
        var sum = SIMD3<Double>()
        let (top, bottom) = (j * size.height / 6, (j + 1) * size.height / 6)
        let (left, right) = (i * size.width / 8, (i + 1) * size.width / 8)
        for y in top..<bottom {
          for c in 0..<3 {
            image.withRow(c, y) { row in for x in left..<right { sum[c] += Double(row[x]) } }
          }
        }
        return sum / Double(max(1, (bottom - top) * (right - left)))
      }
    }
  }
}
