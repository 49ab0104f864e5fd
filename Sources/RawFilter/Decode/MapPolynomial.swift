import ImageCore

/// The opcode MapPolynomial of a DNG (DNG 1.7.1 chapter 7, id 8): y = Σ cᵢ·xⁱ of linear values in
/// 0…1, over an area of planes, before demosaicing. Lossy DNGs undo their encoding curve with it.
/// Values are clipped to 0…1 before and after, as the specification asks.
struct MapPolynomial: Sendable {
  /// Area, empty for the whole picture.
  let area: PixelRect
  let firstPlane: Int
  let planes: Int
  let rowPitch: Int
  let columnPitch: Int
  /// c₀ upward.
  let coefficients: [Double]

  /// The map polynomials among the opcodes of `list`, in order; others are left to later stages.
  static func all(in list: [UInt8], path: String?) throws(RAWError) -> [MapPolynomial] {
    guard !list.isEmpty else { return [] }
    let damaged = RAWError(
      .damaged, .decode, "its opcode list 2 is damaged; copy the file again", path: path)
    let bytes = try FileBytes(list)
    func word(_ offset: Int) throws(RAWError) -> Int {
      guard let value = bytes.integer(UInt32.self, at: offset, bigEndian: true) else {
        throw damaged
      }
      return Int(value)
    }
    var position = 4
    var found: [MapPolynomial] = []
    for _ in 0..<(try word(0)) {
      let id = try word(position)
      let length = try word(position + 12)
      let data = position + 16
      guard bytes.holds(data, length) else { throw damaged }
      position = data + length
      guard id == 8 else { continue }
      let degree = try word(data + 32)
      guard degree <= 8, length >= 36 + 8 * (degree + 1) else { throw damaged }
      let v = try (0..<8).map { (i: Int) throws(RAWError) in try word(data + 4 * i) }
      guard v[6] > 0, v[7] > 0, v[2] >= v[0], v[3] >= v[1] else { throw damaged }
      found.append(
        MapPolynomial(
          area: PixelRect(x: v[1], y: v[0], width: v[3] - v[1], height: v[2] - v[0]),
          firstPlane: v[4], planes: v[5], rowPitch: v[6], columnPitch: v[7],
          coefficients: (0...degree).map {
            Double(
              bitPattern: bytes.integer(UInt64.self, at: data + 36 + 8 * $0, bigEndian: true) ?? 0)
          }))
    }
    return found
  }

  /// `data` made linear, black 0 and white 1, with `polynomials` applied.
  static func apply(_ polynomials: [MapPolynomial], to data: SensorData) -> SensorData {
    let perPixel = data.samplesPerPixel
    let stride = data.size.width * perPixel
    let whole = PixelRect(data.size)
    let samples = RawSamples(format: .float32, stride: stride, rows: data.size.height) { target in
      nonisolated(unsafe) let target = target.assumingMemoryBound(to: Float.self)
      Parallel.forEach(count: data.size.height) { y, _ in
        let row = target + y * stride
        data.linear(row: y, into: row)
        for polynomial in polynomials {
          let area = polynomial.area.isEmpty ? whole : polynomial.area.intersection(whole)
          guard y >= area.y, y < area.endY, (y - area.y) % polynomial.rowPitch == 0 else {
            continue
          }
          let c = polynomial.coefficients.map { Float($0) }
          for plane in polynomial
            .firstPlane..<max(
              polynomial.firstPlane,
              min(perPixel, polynomial.firstPlane + polynomial.planes))
          {
            for x in Swift.stride(from: area.x, to: area.endX, by: polynomial.columnPitch) {
              let v = min(max(row[x * perPixel + plane], 0), 1)
              var sum: Float = 0
              for k in c.indices.reversed() { sum = sum * v + c[k] }
              row[x * perPixel + plane] = min(max(sum, 0), 1)
            }
          }
        }
      }
    }
    let levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: Array(repeating: 0, count: perPixel),
      scale: SIMD4(repeating: 1))
    return SensorData(size: data.size, layout: data.layout, samples: samples, levels: levels)
  }
}

extension SensorData {
  /// Row `y` as linear values, black 0 and white 1, samples of a pixel side by side.
  func linear(row y: Int, into target: UnsafeMutablePointer<Float>) {
    let perPixel = samplesPerPixel
    let blackRow = y % levels.patternHeight * levels.patternWidth * perPixel
    let rowDelta = levels.deltaRow.isEmpty ? 0 : levels.deltaRow[y]
    for x in 0..<size.width {
      let delta = rowDelta + (levels.deltaColumn.isEmpty ? 0 : levels.deltaColumn[x])
      for plane in 0..<perPixel {
        let i = x * perPixel + plane
        let stored =
          samples.format == .uint16 ? Float(samples.counts(row: y)[i]) : samples.floats(row: y)[i]
        let black = levels.black[blackRow + x % levels.patternWidth * perPixel + plane]
        let channel: Int
        if case .mosaic(let cfa) = layout {
          channel = cfa.channel(x: x, y: y)
        } else {
          channel = plane
        }
        target[i] = (stored - black - delta) * levels.scale[channel]
      }
    }
  }
}
