import ImageCore

// What a file says of light: ISO/IEC 14496-12:2022 12.1.5 and 12.1.6 (clli, mdcv, cclv, amve), ISO
// 22028-5 (ndwt). Chromaticities are in steps of 0.00002, light mostly in 0.0001 cd/m². The unit of
// cclv, 0.0000001 cd/m² as in H.265, reaches 429 cd/m²; what is brighter is left out there.

extension HEIFProperty {
  /// All boxes for what is known, in a fixed order.
  static func light(_ light: LightMetadata) -> [HEIFProperty] {
    [
      light.contentLight.map(contentLight), light.masteringDisplay.map(masteringDisplay),
      light.contentVolume.map(contentVolume), light.ambient.map(ambient),
      light.diffuseWhiteNits.map(diffuseWhite),
    ].compactMap { $0 }
  }

  /// MaxCLL and MaxPALL, whole cd/m².
  static func contentLight(_ light: LightMetadata.ContentLight) -> HEIFProperty {
    HEIFProperty {
      $0.box("clli") {
        $0.u16(.nearest(light.maximumNits))
        $0.u16(.nearest(light.averageNits))
      }
    }
  }

  /// The display that the picture was made on; its primaries in the order green, blue, red.
  static func masteringDisplay(_ display: LightMetadata.MasteringDisplay) -> HEIFProperty {
    HEIFProperty {
      $0.box("mdcv") {
        for point in [display.green, display.blue, display.red, display.white] {
          $0.u16(.nearest(point.x * 50_000))
          $0.u16(.nearest(point.y * 50_000))
        }
        $0.u32(.nearest(display.maximumNits * 10_000))
        $0.u32(.nearest(display.minimumNits * 10_000))
      }
    }
  }

  /// The light that the picture occupies; its primaries in the order green, blue, red.
  static func contentVolume(_ volume: LightMetadata.ContentVolume) -> HEIFProperty {
    let primaries = volume.primaries.flatMap { $0.count == 3 ? [$0[1], $0[2], $0[0]] : nil }
    let levels: [UInt32?] = [volume.minimumNits, volume.maximumNits, volume.averageNits].map {
      $0.flatMap { nits in
        let value = (nits * 10_000_000).rounded()
        return value >= 0 && value <= Double(UInt32.max) ? UInt32(value) : nil
      }
    }
    var flags: UInt8 = primaries == nil ? 0 : 0x20
    for (level, flag) in zip(levels, [0x10, 0x08, 0x04] as [UInt8]) where level != nil {
      flags |= flag
    }
    return HEIFProperty {
      $0.box("cclv") {
        $0.u8(flags)
        for point in primaries ?? [] {
          for value in [point.x, point.y] {
            $0.u32(UInt32(bitPattern: .nearest(value * 50_000)))
          }
        }
        for level in levels.compactMap({ $0 }) { $0.u32(level) }
      }
    }
  }

  /// The light around the display.
  static func ambient(_ ambient: LightMetadata.Ambient) -> HEIFProperty {
    HEIFProperty {
      $0.box("amve") {
        $0.u32(.nearest(ambient.lux * 10_000))
        $0.u16(.nearest(ambient.color.x * 50_000))
        $0.u16(.nearest(ambient.color.y * 50_000))
      }
    }
  }

  /// The light of diffuse white, cd/m².
  static func diffuseWhite(_ nits: Double) -> HEIFProperty {
    HEIFProperty { $0.fullBox("ndwt") { $0.u32(.nearest(nits * 10_000)) } }
  }
}

extension FixedWidthInteger {
  /// The nearest whole number that fits; 0 for no-numbers.
  static func nearest(_ value: Double) -> Self {
    if value.isNaN { return 0 }
    return Self(clamping: Int(Swift.min(Swift.max(value.rounded(), -1e15), 1e15)))
  }
}

extension LightMetadata {
  /// What is known of a picture that was measured and mastered on a BT.2020 display of `peakNits`.
  init(_ statistics: LightStatistics, peakNits: Double) {
    self.init()
    contentLight = ContentLight(statistics)
    masteringDisplay = .bt2020(peakNits: peakNits)
  }
}

extension LightMetadata.MasteringDisplay {
  /// A BT.2020 display that reaches `peakNits`.
  static func bt2020(peakNits: Double) -> Self {
    let c = Primaries.bt2020.chromaticities
    return Self(
      red: c.red, green: c.green, blue: c.blue, white: .d65, maximumNits: peakNits,
      minimumNits: 0.0005)
  }
}

extension LightMetadata.ContentLight {
  /// The measured levels.
  init(_ statistics: LightStatistics) {
    self.init(
      maximumNits: Double(statistics.maximumContentNits),
      averageNits: Double(statistics.averageNits))
  }
}
