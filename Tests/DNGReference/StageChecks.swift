import ImageCore
import RawFilter

/// The picture between the stages against exact values.
struct StageChecks {
  let reference: ReferenceValues

  /// Linear values of the active area before the demosaic, row by row.
  private struct LinearValues {
    let size: PixelSize
    let samplesPerPixel: Int
    let values: [Float]

    init(_ data: SensorData) {
      size = data.size
      samplesPerPixel = data.samplesPerPixel
      let (levels, n) = (data.levels, samplesPerPixel)
      var values: [Float] = []
      values.reserveCapacity(size.area * n)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let position = (y % levels.patternHeight) * levels.patternWidth + x % levels.patternWidth
          for c in 0..<n {
            if !levels.curves.isEmpty {
              let curve = levels.curves[min(c, levels.curves.count - 1)]
              values.append(curve[Int(data.samples.counts(row: y)[x * n + c])])
              continue
            }
            let stored =
              data.samples.format == .uint16
              ? Float(data.samples.counts(row: y)[x * n + c])
              : data.samples.floats(row: y)[x * n + c]
            var channel = c
            if case .mosaic(let cfa) = data.layout { channel = cfa.channel(x: x, y: y) }
            let black =
              levels.black[position * n + c]
              + (levels.deltaColumn.isEmpty ? 0 : levels.deltaColumn[x])
              + (levels.deltaRow.isEmpty ? 0 : levels.deltaRow[y])
            values.append((stored - black) * levels.scale[channel])
          }
        }
      }
      self.values = values
    }
  }

  /// Channels and probes of the mosaic; nothing for a picture without one.
  func compare(stage2 data: SensorData) -> [Comparison] {
    reference.mosaic.map { mosaic(LinearValues(data), $0) } ?? []
  }

  private func mosaic(_ got: LinearValues, _ wanted: ReferenceValues.Mosaic) -> [Comparison] {
    var means = Comparison("stage 2", limit: Limits.linear)
    var probes = Comparison("stage 2 pixels", limit: reference.isLossy ? nil : Limits.linear)
    guard got.size == PixelSize(width: wanted.width, height: wanted.height) else {
      means.fail()
      return [means, probes]
    }
    for channel in wanted.channels {
      var (sum, count, low, high) = (0.0, 0.0, Double.infinity, -Double.infinity)
      for y in stride(from: channel.row, to: got.size.height, by: 2) {
        for x in stride(from: channel.col, to: got.size.width, by: 2) {
          let value = Double(got.values[y * got.size.width + x])
          (sum, count, low, high) = (sum + value, count + 1, min(low, value), max(high, value))
        }
      }
      means.add(sum / max(count, 1), wanted: channel.mean, allowance: Limits.linearAllowance)
      guard !reference.isLossy else { continue }
      means.add(low, wanted: channel.min, allowance: Limits.linearAllowance)
      means.add(high, wanted: channel.max, allowance: Limits.linearAllowance)
    }
    for pixel in wanted.pixels {
      probes.add(
        Double(got.values[pixel.row * got.size.width + pixel.col]), wanted: pixel.value,
        allowance: Limits.linearAllowance)
    }
    return [means, probes]
  }

  /// Means, extremes and probes of the camera space; of a demosaiced one only the means, as the
  /// reference interpolates bilinearly.
  func compare(stage3 source: any PixelSource<CameraRGB>) throws -> [Comparison] {
    guard let wanted = reference.cameraSpace else { return [] }
    let isMosaic = reference.isMosaic
    var means = Comparison("stage 3", limit: isMosaic ? Limits.mosaicMean : Limits.linear)
    var probes = Comparison("stage 3 pixels", limit: reference.isLossy ? nil : Limits.linear)
    guard source.size == PixelSize(width: wanted.width, height: wanted.height),
      wanted.mean.count <= 3
    else {
      means.fail()
      return [means, probes]
    }
    let image = try Image(rendering: source)
    for c in 0..<wanted.mean.count {
      var (sum, low, high) = (0.0, Double.infinity, -Double.infinity)
      for y in 0..<image.size.height {
        image.withRow(c, y) { row in
          for x in 0..<image.size.width {
            let value = Double(row[x])
            (sum, low, high) = (sum + value, min(low, value), max(high, value))
          }
        }
      }
      let allowance = Limits.linearAllowance
      means.add(sum / Double(image.size.area), wanted: wanted.mean[c], allowance: allowance)
      guard !isMosaic, !reference.isLossy else { continue }
      means.add(low, wanted: wanted.min[c], allowance: allowance)
      means.add(high, wanted: wanted.max[c], allowance: allowance)
    }
    for pixel in (isMosaic ? nil : wanted.pixels) ?? [] {
      let got = image[pixel.x, pixel.y]
      for c in 0..<wanted.mean.count {
        probes.add(Double(got[c]), wanted: pixel.value[c], allowance: Limits.linearAllowance)
      }
    }
    return [means, probes]
  }
}
