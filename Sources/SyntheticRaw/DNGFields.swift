import ImageCore

extension DNGWriter {
  /// The fields of the raw directory, all but the place of the data.
  func directory() -> TIFFDirectory {
    var d = TIFFDirectory()
    let whole = PixelRect(size)
    d[254] = .longs([0])
    d[256] = .longs([UInt32(size.width)])
    d[257] = .longs([UInt32(size.height)])
    d[258] = .shorts([UInt16](repeating: UInt16(bitsPerSample), count: samplesPerPixel))
    d[259] = .shorts([compression == .none ? 1 : 7])
    d[262] = .shorts([layout == .linear || layout == .monochrome ? 34892 : 32803])
    d[274] = .shorts([UInt16(orientation.rawValue)])
    d[277] = .shorts([UInt16(samplesPerPixel)])
    d[282] = .rationals([Rational(300, 1)])
    d[283] = .rationals([Rational(300, 1)])
    d[284] = .shorts([1])
    d[296] = .shorts([2])
    if let tile {
      d[322] = .longs([UInt32(tile.width)])
      d[323] = .longs([UInt32(tile.height)])
    } else {
      d[278] = .longs([UInt32(size.height)])
    }
    if case .mosaic(let pattern) = layout {
      d[33421] = .shorts([UInt16(pattern.period), UInt16(pattern.period)])
      d[33422] = .bytes(pattern.channels)
      d[50710] = .bytes([0, 1, 2])
      d[50711] = .shorts([1])
    }
    d[50706] = .bytes(version)
    d[50707] = .bytes([1, 1, 0, 0])
    if let black {
      d[50713] = .shorts([UInt16(black.height), UInt16(black.width)])
      d[50714] = .rationals(black.levels)
    }
    if let first = white.first {
      d[50717] = .longs((0..<samplesPerPixel).map { $0 < white.count ? white[$0] : first })
    }
    if let area = activeArea {
      d[50829] = .longs([area.y, area.x, area.endY, area.endX].map { UInt32($0) })
      let masked = maskedAreas(around: area)
      if !masked.isEmpty { d[50830] = .longs(masked) }
    }
    let crop = defaultCrop ?? PixelRect((activeArea ?? whole).size)
    d[50719] = .longs([UInt32(crop.x), UInt32(crop.y)])
    d[50720] = .longs([UInt32(crop.width), UInt32(crop.height)])
    if let baselineExposure { d[50730] = .signedRationals([baselineExposure]) }
    if !noiseProfile.isEmpty { d[51041] = .doubles(noiseProfile.flatMap { [$0.x, $0.y] }) }
    addColor(to: &d)
    for entry in metadata.entries where entry.directory == .image {
      d[entry.tag] = TIFFValue(entry.value)
    }
    if let xmp = metadata.xmp { d[700] = .bytes(xmp) }
    for (tag, value) in additionalFields { d[tag] = value }
    return d
  }

  private func addColor(to d: inout TIFFDirectory) {
    d[50708] = .ascii(camera.uniqueModel)
    guard layout != .monochrome else { return }
    func matrix(_ m: Matrix3) -> TIFFValue {
      .signedRationals(
        m.rows.flatMap { row in
          (0..<3).map { SignedRational(Int32((row[$0] * 10_000).rounded()), 10_000) }
        })
    }
    d[50721] = matrix(camera.colorMatrix1)
    d[50778] = .shorts([camera.illuminant1])
    if let forward = camera.forwardMatrix1 { d[50964] = matrix(forward) }
    if let second = camera.colorMatrix2 {
      d[50722] = matrix(second)
      d[50779] = .shorts([camera.illuminant2])
      if let forward = camera.forwardMatrix2 { d[50965] = matrix(forward) }
    }
    d[50728] = .rationals(
      (0..<3).map { Rational(UInt32((asShotNeutral[$0] * 1_000_000).rounded()), 1_000_000) })
  }

  /// Top, left, bottom, right of each part of the border, at most four, none empty.
  private func maskedAreas(around area: PixelRect) -> [UInt32] {
    let parts = [
      [0, 0, area.y, size.width],
      [area.y, 0, area.endY, area.x],
      [area.y, area.endX, area.endY, size.width],
      [area.endY, 0, size.height, size.width],
    ]
    return parts.filter { $0[2] > $0[0] && $0[3] > $0[1] }.flatMap { $0.map { UInt32($0) } }
  }

  /// The stored data: one strip, or tiles from left to right and top to bottom.
  func imageChunks() -> [[UInt8]] {
    guard let tile else {
      return [samples.withUnsafeBufferPointer { chunk($0, size: size) }]
    }
    let across = (size.width + tile.width - 1) / tile.width
    let down = (size.height + tile.height - 1) / tile.height
    let n = samplesPerPixel
    return (0..<(across * down)).map { index in
      let (left, top) = (index % across * tile.width, index / across * tile.height)
      var part = [UInt16](repeating: 0, count: tile.area * n)
      for y in 0..<tile.height {
        // What a tile holds outside the picture repeats its last pixel, which costs few bits.
        let row = min(top + y, size.height - 1) * size.width
        for x in 0..<tile.width {
          let from = (row + min(left + x, size.width - 1)) * n
          for c in 0..<n { part[(y * tile.width + x) * n + c] = samples[from + c] }
        }
      }
      return part.withUnsafeBufferPointer { chunk($0, size: tile) }
    }
  }

  private func chunk(_ samples: UnsafeBufferPointer<UInt16>, size: PixelSize) -> [UInt8] {
    guard let base = samples.baseAddress else { return [] }
    let perRow = size.width * samplesPerPixel
    switch compression {
    case .losslessJPEG:
      let interleaved = perRow % jpegComponents == 0 ? jpegComponents : 1
      let jpeg = LosslessJPEG(
        columns: perRow / interleaved, rows: size.height, components: interleaved,
        bits: bitsPerSample)
      return jpeg.encode(base, stride: perRow)
    case .none:
      return packed(samples, perRow: perRow)
    }
  }

  /// Interleaved components that put like beside like.
  private var jpegComponents: Int {
    switch layout {
    case .linear: 3
    case .mosaic(let pattern): pattern.period == 6 ? 3 : 2
    case .monochrome: 1
    }
  }

  private func packed(_ samples: UnsafeBufferPointer<UInt16>, perRow: Int) -> [UInt8] {
    if bitsPerSample == 16 {
      return [UInt8](unsafeUninitializedCapacity: samples.count * 2) { out, used in
        let high = byteOrder == .big ? 0 : 1
        for i in 0..<samples.count {
          out[2 * i + high] = UInt8(samples[i] >> 8)
          out[2 * i + 1 - high] = UInt8(truncatingIfNeeded: samples[i])
        }
        used = samples.count * 2
      }
    }
    var out: [UInt8] = []
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
