package import ImageCore
package import RawData

/// Opcode lists 1 and 2 on decoded pictures.
extension OpcodeLists {
  /// Whether list 1 changes samples: then the LinearizationTable must be applied after it.
  package func changesStored(_ selection: OpcodeSelection) -> Bool {
    actions(.stored, selection).contains { !$0.isTrim }
  }

  /// Applies list 1 to `data`, which are not linearized by `table` yet, then the table.
  package func applyStored(
    to data: SensorData, _ selection: OpcodeSelection, table: [UInt16], workers: Int
  ) throws(RAWError) -> SensorData {
    var frame = frame(.stored)
    let (size, source) = (data.size, data.samples)
    frame.top = source.format == .uint16 ? 65535 : 1
    let opcodes = SensorOpcodes(
      actions: actions(.stored, selection), frame: frame, size: size, layout: data.layout,
      workers: workers)
    let samples = try RAWError.translating(.sensor) { () throws(PixelError) in
      switch source.format {
      case .uint16:
        try source.changed(of: UInt16.self) { target throws(PixelError) in
          try opcodes.apply(to: target.start)
          guard let last = table.indices.last else { return }
          table.withUnsafeBufferPointer { table in
            for i in 0..<target.count { target[i] = table[min(Int(target[i]), last)] }
          }
        }
      case .float32:
        try source.changed(of: Float.self) { target throws(PixelError) in
          try opcodes.apply(to: target.start)
        }
      }
    }
    return SensorData(size: size, layout: data.layout, samples: samples, levels: data.levels)
  }

  /// Applies list 2 to `data`: as curves of their levels if possible, else as a picture of linear
  /// floats within `limits`. Gains at its end are left to the stages of mosaics.
  package func applyLinear(
    to data: SensorData, _ selection: OpcodeSelection, limits: DecodeLimits = DecodeLimits(),
    workers: Int
  ) throws(RAWError) -> SensorData {
    let frame = frame(.linear)
    let all = actions(.linear, selection)
    let (actions, gains) = data.layout == .linear ? (all, nil) : SensorGains.split(all, frame)
    var result = try applied(actions, frame, to: data, limits, workers)
    result.gains = gains
    return result
  }

  private func applied(
    _ actions: [Opcode.Action], _ frame: OpcodeFrame, to data: SensorData, _ limits: DecodeLimits,
    _ workers: Int
  ) throws(RAWError) -> SensorData {
    guard actions.contains(where: { !$0.isTrim }) else { return data }
    if let folded = LevelCurves.fold(actions, frame, data) { return folded }
    let (size, perPixel) = (data.size, data.samplesPerPixel)
    guard size.area * perPixel * 4 <= limits.maxDecodeBytes else {
      throw RAWError(
        .tooLarge, .decode,
        "its pixels take more than the limit of \(limits.maxDecodeBytes) bytes after its "
          + "opcodes; raise the limit",
        remedies: [.allowMemory])
    }
    let opcodes = SensorOpcodes(
      actions: actions, frame: frame, size: size, layout: data.layout, workers: workers)
    let stride = size.width * perPixel
    let samples = try RAWError.translating(.sensor) { () throws(PixelError) in
      try RawSamples(of: Float.self, stride: stride, rows: size.height) {
        target throws(PixelError) in
        nonisolated(unsafe) let target = target.start
        let levels = try LinearLevels(data, balance: SIMD4(repeating: 1))
        try Parallel.forEach(count: size.height, workers: workers) { y, _ in
          levels.fill(row: y, into: target + y * stride)
        }
        try opcodes.apply(to: target)
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: Array(repeating: 0, count: perPixel),
      scale: SIMD4(repeating: 1))
    levels.endsAtWhite = data.samples.format == .uint16 || data.levels.endsAtWhite
    return SensorData(size: size, layout: data.layout, samples: samples, levels: levels)
  }

  /// The part of decoded `data` that remains after trims.
  package func trim(_ data: SensorData) throws(RAWError) -> SensorData {
    guard remaining != PixelRect(data.size) else { return data }
    return try RAWError.translating(.sensor) { () throws(PixelError) in try data.part(remaining) }
  }
}

extension SensorData {
  /// Row `y` as linear values, black 0 and white 1, samples of a pixel side by side. For the
  /// verification of single rows; pictures are read by ``LinearLevels``.
  package func linear(row y: Int, into target: UnsafeMutablePointer<Float>) throws(PixelError) {
    try LinearLevels(self, balance: SIMD4(repeating: 1)).fill(row: y, into: target)
    guard let gains = MosaicGains(gains, size, layout) else { return }
    let row = MutableRowView(target, count: size.width, before: 0, behind: 0)
    gains.apply(to: row, x: 0, y: y, count: size.width)
  }
}
