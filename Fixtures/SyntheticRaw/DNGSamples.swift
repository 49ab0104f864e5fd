import ImageCore

extension DNGWriter {
  /// The stored data: one strip, or tiles from left to right and top to bottom.
  func imageChunks() throws(Problem) -> [[UInt8]] {
    if isFloat { return try collect(cut(floats)) { floatChunk($0, size: $1) } }
    return try collect(cut(isInterleaved ? fieldwise(samples) : samples)) { chunk($0, size: $1) }
  }

  /// The compressed parts, made on all cores.
  private func collect<Sample: Sendable>(
    _ parts: Parts<Sample>, _ compress: @Sendable ([Sample], PixelSize) -> [UInt8]?
  ) throws(Problem) -> [[UInt8]] {
    let chunks = certain {
      try Parallel.map(count: parts.count) { compress(parts[$0], parts.size) }
    }
    let made = chunks.compactMap { $0 }
    guard made.count == parts.count else {
      throw Problem(description: "the library for \(compression.rawValue) failed")
    }
    return made
  }

  private func cut<Sample>(_ samples: [Sample]) -> Parts<Sample> {
    Parts(samples: samples, whole: size, size: tile ?? size, channels: samplesPerPixel)
  }

  /// Even rows before odd ones, and in each of them even columns before odd ones: four pictures of
  /// a quarter of the size, one for each position of a Bayer pattern.
  private func fieldwise(_ samples: [UInt16]) -> [UInt16] {
    func order(_ count: Int) -> [Int] {
      Array(stride(from: 0, to: count, by: 2)) + Array(stride(from: 1, to: count, by: 2))
    }
    let columns = order(size.width)
    return order(size.height).flatMap { y in columns.map { samples[y * size.width + $0] } }
  }

  private func chunk(_ samples: [UInt16], size: PixelSize) -> [UInt8]? {
    let perRow = size.width * samplesPerPixel
    switch compression {
    case .losslessJPEG:
      let interleaved = perRow % jpegComponents == 0 ? jpegComponents : 1
      let jpeg = LosslessJPEG(
        columns: perRow / interleaved, rows: size.height, components: interleaved,
        bits: bitsPerSample)
      return jpeg.encode(samples, stride: perRow)
    case .jpegXL:
      let encoder = JPEGXLEncoder(
        size: size, components: samplesPerPixel, bits: bitsPerSample, distance: jpegXLDistance,
        effort: jpegXLEffort)
      return encoder.encode(samples)
    case .none: return packed(samples, perRow: perRow)
    case .deflate: return DeflateCompressor.compress(packed(samples, perRow: perRow))
    case .vc5: return vc5Encoder(size)?.encode(samples)
    }
  }

  /// The encoder for a tile of `size`; nil for other layouts than mosaics.
  func vc5Encoder(_ size: PixelSize) -> VC5Encoder? {
    guard case .mosaic(let pattern) = layout else { return nil }
    let white = white.max() ?? UInt32(1 << bitsPerSample - 1)
    let bits = white <= 4095 ? 12 : white <= 16_383 ? 14 : 16
    return VC5Encoder(size: size, pattern: pattern, sampleBits: bits, settings: vc5)
  }

  private func floatChunk(_ samples: [Float], size: PixelSize) -> [UInt8]? {
    let stored = FloatSamples(bits: bitsPerSample, channels: samplesPerPixel)
    let perRow = size.width * samplesPerPixel
    let bytes =
      usesFloatPredictor
      ? stored.predicted(samples, perRow: perRow) : stored.bytes(samples, order: byteOrder)
    return compression == .deflate ? DeflateCompressor.compress(bytes) : bytes
  }

  /// Interleaved components that put like beside like.
  private var jpegComponents: Int {
    switch layout {
    case .linear: 3
    case .mosaic(let pattern): pattern.period == 6 ? 3 : 2
    case .monochrome: 1
    }
  }

  private func packed(_ samples: [UInt16], perRow: Int) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(samples.count * 2)
    if bitsPerSample == 16 {
      for sample in samples {
        let bytes = (UInt8(sample >> 8), UInt8(truncatingIfNeeded: sample))
        out.append(byteOrder == .big ? bytes.0 : bytes.1)
        out.append(byteOrder == .big ? bytes.1 : bytes.0)
      }
      return out
    }
    for row in stride(from: 0, to: samples.count, by: perRow) {
      var pending: UInt32 = 0
      var pendingBits = 0
      for i in row..<(row + perRow) {
        pending = pending << UInt32(bitsPerSample) | UInt32(samples[i])
        pendingBits += bitsPerSample
        while pendingBits >= 8 {
          pendingBits -= 8
          out.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
        }
        pending &= (1 << UInt32(pendingBits)) - 1
      }
      if pendingBits > 0 {
        out.append(UInt8(truncatingIfNeeded: pending << UInt32(8 - pendingBits)))
      }
    }
    return out
  }
}

/// A picture cut into tiles. What a tile holds outside the picture repeats its last pixel, which
/// costs few bits.
private struct Parts<Sample: Sendable>: Sendable {
  let samples: [Sample]
  let whole: PixelSize
  let size: PixelSize
  let channels: Int

  private var across: Int { (whole.width + size.width - 1) / size.width }
  var count: Int { across * ((whole.height + size.height - 1) / size.height) }

  subscript(index: Int) -> [Sample] {
    if size == whole { return samples }
    let (left, top) = (index % across * size.width, index / across * size.height)
    let inside = min(size.width, whole.width - left)
    var part: [Sample] = []
    part.reserveCapacity(size.area * channels)
    for y in 0..<size.height {
      let row = (min(top + y, whole.height - 1) * whole.width + left) * channels
      part += samples[row..<(row + inside * channels)]
      let last = samples[(row + (inside - 1) * channels)..<(row + inside * channels)]
      for _ in inside..<size.width { part += last }
    }
    return part
  }
}
