package import ImageCore

/// What a caller wants to know of the picture before developing it: cheap, because it works on
/// superpixels.
extension SensorPipeline {
  /// A small picture, one pixel for each `reduction` × `reduction` photosites: the mean of each
  /// channel after levels and highlights. `reduction` is rounded up to whole superpixels.
  package func proxy(reduction: Int, workers: Int = Parallel.defaultWorkers) -> Image<CameraRGB> {
    let factor = pixels.reductionFactor
    let box = max(1, (min(reduction, 4096) + factor - 1) / factor)
    let source = reducedSize
    let size = PixelSize(
      width: max(1, source.width / box), height: max(1, source.height / box))
    return Image(size: size, info: info) { (out: PlanarBuffer) in
      let result = SharedPlanes(planes: out)
      let bands = max(1, 64 / box)
      Parallel.forEach(count: (size.height + bands - 1) / bands, workers: workers) { band, _ in
        let rows = band * bands..<min((band + 1) * bands, size.height)
        let buffer = PlanarBuffer(size: PixelSize(width: 0, height: 0))
        let width = min(size.width * box, source.width)
        for y in rows {
          let height = min(box, source.height - y * box)
          read(
            PixelRect(x: 0, y: y * box, width: width, height: height), into: buffer,
            isReduced: true)
          average(buffer, box, into: result.planes, y)
        }
      }
    }
  }

  /// The largest value that `weights` · rgb has in any channel of any superpixel (any pixel of
  /// linear files), after levels, defects and highlights.
  package func peak(
    of weights: Matrix3, workers: Int = Parallel.defaultWorkers
  ) -> Float {
    let isMosaic = pixels.isMosaic
    let source = isMosaic ? reducedSize : fullSize
    let rows = weights.rows.map { SIMD3<Float>($0) }
    let bandHeight = 64
    let bands = (source.height + bandHeight - 1) / bandHeight
    var peaks = [Float](repeating: -.infinity, count: bands)
    peaks.withUnsafeMutableBufferPointer { memory in
      let result = SharedPeaks(values: memory)
      Parallel.forEach(count: bands, workers: workers) { band, _ in
        let y = band * bandHeight
        let rect = PixelRect(
          x: 0, y: y, width: source.width, height: min(bandHeight, source.height - y))
        let buffer = PlanarBuffer(size: rect.size)
        read(rect, into: buffer, isReduced: isMosaic)
        result.values[band] = Self.peak(buffer, rows)
      }
    }
    return peaks.max() ?? 0
  }

  private struct SharedPlanes: @unchecked Sendable { let planes: PlanarBuffer }
  private struct SharedPeaks: @unchecked Sendable { let values: UnsafeMutableBufferPointer<Float> }

  private var reducedSize: PixelSize {
    let factor = pixels.reductionFactor
    return PixelSize(width: fullSize.width / factor, height: fullSize.height / factor)
  }

  private func average(_ buffer: PlanarBuffer, _ box: Int, into out: PlanarBuffer, _ y: Int) {
    for c in 0..<3 {
      let target = out.row(c, y)
      for x in 0..<out.size.width {
        let columns = x * box..<min((x + 1) * box, buffer.size.width)
        var sum: Float = 0
        for row in 0..<buffer.size.height {
          let source = buffer.row(c, row)
          for column in columns { sum += source[column] }
        }
        target[x] = sum / Float(max(columns.count * buffer.size.height, 1))
      }
    }
  }

  private static func peak(_ buffer: PlanarBuffer, _ rows: [SIMD3<Float>]) -> Float {
    var highest = -Float.infinity
    for y in 0..<buffer.size.height {
      let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      for row in rows {
        for x in 0..<buffer.size.width {
          let value = r[x] * row.x + g[x] * row.y + b[x] * row.z
          highest = value > highest ? value : highest
        }
      }
    }
    return highest
  }
}
