import ImageCore

extension DNGWriter {
  /// Fields that describe how the raw picture is stored and what its values mean.
  func rawDirectory() -> TIFFDirectory {
    var d = TIFFDirectory()
    let whole = PixelRect(size)
    d[254] = .longs([0])
    d[256] = .longs([UInt32(size.width)])
    d[257] = .longs([UInt32(size.height)])
    d[258] = .shorts([UInt16](repeating: UInt16(bitsPerSample), count: samplesPerPixel))
    d[259] = .shorts([compression.code])
    d[262] = .shorts([layout == .linear || layout == .monochrome ? 34892 : 32803])
    d[277] = .shorts([UInt16(samplesPerPixel)])
    d[284] = .shorts([1])
    if isFloat {
      d[339] = .shorts([UInt16](repeating: 3, count: samplesPerPixel))
      if usesFloatPredictor { d[317] = .shorts([3]) }
    }
    if let tile {
      d[322] = .longs([UInt32(tile.width)])
      d[323] = .longs([UInt32(tile.height)])
    } else {
      d[278] = .longs([UInt32(size.height)])
    }
    if isInterleaved {
      d[50975] = .shorts([2])
      d[52547] = .shorts([2])
    }
    if case .mosaic(let pattern) = layout {
      d[33421] = .shorts([UInt16(pattern.period), UInt16(pattern.period)])
      d[33422] = .bytes(pattern.channels)
      d[50710] = .bytes([0, 1, 2])
      d[50711] = .shorts([1])
    }
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
    if writesDefaultCrop {
      let crop = defaultCrop ?? PixelRect((activeArea ?? whole).size)
      d[50719] = .longs([UInt32(crop.x), UInt32(crop.y)])
      d[50720] = .longs([UInt32(crop.width), UInt32(crop.height)])
    }
    if !noiseProfile.isEmpty { d[51041] = .doubles(noiseProfile.flatMap { [$0.x, $0.y] }) }
    for (tag, list) in zip([UInt16(51008), 51009, 51022], opcodeLists) where !list.isEmpty {
      d[tag] = .undefined(DNGOpcode.list(list))
    }
    d.merge(additionalFields)
    return d
  }

  /// Fields of IFD 0 about the camera, its colors and the complete picture.
  func cameraFields() -> TIFFDirectory {
    var d = TIFFDirectory()
    d[274] = .shorts([UInt16(orientation.rawValue)])
    d[282] = .rationals([Rational(300, 1)])
    d[283] = .rationals([Rational(300, 1)])
    d[296] = .shorts([2])
    d[50706] = .bytes(version)
    d[50707] = .bytes(backwardVersion ?? compression.oldestReader)
    if let baselineExposure { d[50730] = .signedRationals([baselineExposure]) }
    addColor(to: &d)
    for entry in metadata.entries where entry.directory == .image {
      d[entry.tag] = TIFFValue(entry.value)
    }
    if let xmp = metadata.xmp { d[700] = .bytes(xmp) }
    d.merge(cameraTags)
    return d
  }

  private func addColor(to d: inout TIFFDirectory) {
    d[50708] = .ascii(camera.uniqueModel)
    guard layout != .monochrome else { return }
    d.merge(camera.fields)
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
}

extension SimulatedCamera {
  /// Matrices and illuminants, as IFD 0 and profiles hold them.
  var fields: [UInt16: TIFFValue] {
    func matrix(_ m: Matrix3) -> TIFFValue {
      .signedRationals(
        m.rows.flatMap { row in
          (0..<3).map { SignedRational(Int32((row[$0] * 10_000).rounded()), 10_000) }
        })
    }
    var d: [UInt16: TIFFValue] = [
      50721: matrix(colorMatrix1), 50778: .shorts([illuminant1]),
    ]
    if let forward = forwardMatrix1 { d[50964] = matrix(forward) }
    if let second = colorMatrix2 {
      d[50722] = matrix(second)
      d[50779] = .shorts([illuminant2])
      if let forward = forwardMatrix2 { d[50965] = matrix(forward) }
    }
    return d
  }
}
