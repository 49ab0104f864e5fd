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
          let place = (y % levels.patternHeight) * levels.patternWidth + x % levels.patternWidth
          for c in 0..<n {
            let stored =
              data.samples.format == .uint16
              ? Float(data.samples.counts(row: y)[x * n + c])
              : data.samples.floats(row: y)[x * n + c]
            var channel = c
            if case .mosaic(let cfa) = data.layout { channel = cfa.channel(x: x, y: y) }
            let black =
              levels.black[place * n + c]
              + (levels.deltaColumn.isEmpty ? 0 : levels.deltaColumn[x])
              + (levels.deltaRow.isEmpty ? 0 : levels.deltaRow[y])
            values.append((stored - black) * levels.scale[channel])
          }
        }
      }
      self.values = values
    }
  }

  /// Channels and probes of the mosaic, or the camera space of a picture without one.
  func compare(_ data: SensorData) -> [Comparison] {
    if let wanted = reference.mosaic { return mosaic(LinearValues(data), wanted) }
    if let wanted = reference.cameraSpace { return camera(LinearValues(data), wanted) }
    return []
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

  private func camera(_ got: LinearValues, _ wanted: ReferenceValues.CameraSpace) -> [Comparison] {
    var means = Comparison("stage 3", limit: Limits.linear)
    var probes = Comparison("stage 3 pixels", limit: reference.isLossy ? nil : Limits.linear)
    guard got.size == PixelSize(width: wanted.width, height: wanted.height),
      got.samplesPerPixel == wanted.mean.count
    else {
      means.fail()
      return [means, probes]
    }
    let n = got.samplesPerPixel
    for c in 0..<n {
      var (sum, low, high) = (0.0, Double.infinity, -Double.infinity)
      for i in stride(from: c, to: got.values.count, by: n) {
        let value = Double(got.values[i])
        (sum, low, high) = (sum + value, min(low, value), max(high, value))
      }
      means.add(
        sum / Double(got.size.area), wanted: wanted.mean[c], allowance: Limits.linearAllowance)
      guard !reference.isLossy else { continue }
      means.add(low, wanted: wanted.min[c], allowance: Limits.linearAllowance)
      means.add(high, wanted: wanted.max[c], allowance: Limits.linearAllowance)
    }
    for pixel in wanted.pixels ?? [] {
      for c in 0..<n {
        probes.add(
          Double(got.values[(pixel.y * got.size.width + pixel.x) * n + c]),
          wanted: pixel.value[c], allowance: Limits.linearAllowance)
      }
    }
    return [means, probes]
  }
}
