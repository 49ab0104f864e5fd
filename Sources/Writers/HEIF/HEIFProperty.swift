import ImageCore

/// One property box of an item (ISO/IEC 23008-12:2022 section 6.5).
struct HEIFProperty: Hashable {
  let box: [UInt8]
  /// Whether a reader that does not know the box must leave the item alone.
  let isEssential: Bool

  private init(essential: Bool = false, _ write: (inout BoxBytes) -> Void) {
    var bytes = BoxBytes()
    write(&bytes)
    (box, isEssential) = (bytes.bytes, essential)
  }

  static func decoderConfiguration(_ record: [UInt8]) -> HEIFProperty {
    HEIFProperty(essential: true) { $0.box("hvcC") { $0.append(record) } }
  }

  /// Columns and rows.
  static func size(_ size: PixelSize) -> HEIFProperty {
    HEIFProperty {
      $0.fullBox("ispe") {
        $0.u32(UInt32(truncatingIfNeeded: size.width))
        $0.u32(UInt32(truncatingIfNeeded: size.height))
      }
    }
  }

  /// Bits of each of three channels.
  static func depth(_ bits: Int) -> HEIFProperty {
    HEIFProperty {
      $0.fullBox("pixi") {
        $0.u8(3)
        for _ in 0..<3 { $0.u8(UInt8(bits)) }
      }
    }
  }

  static func color(_ code: ColorCode) -> HEIFProperty {
    HEIFProperty {
      $0.box("colr") {
        $0.append("nclx".utf8)
        $0.u16(code.primaries)
        $0.u16(code.transfer)
        $0.u16(code.matrix)
        $0.u8(0x80)
      }
    }
  }

  /// MaxCLL and MaxPALL.
  static func contentLight(_ statistics: LightStatistics) -> HEIFProperty {
    HEIFProperty {
      $0.box("clli") {
        $0.u16(UInt16(clamping: statistics.maximumContentNits))
        $0.u16(UInt16(clamping: statistics.averageNits))
      }
    }
  }

  /// The display that the picture was made for: BT.2020, D65, `peakNits`, black 0.0005 cd/m².
  static func masteringDisplay(peakNits: Double) -> HEIFProperty {
    func unit(_ value: Double) -> UInt16 { UInt16(clamping: Int((value * 50_000).rounded())) }
    let c = Primaries.bt2020.chromaticities
    return HEIFProperty {
      $0.box("mdcv") {
        for point in [c.green, c.blue, c.red, .d65] {
          $0.u16(unit(point.x))
          $0.u16(unit(point.y))
        }
        $0.u32(UInt32(clamping: Int((peakNits * 10_000).rounded())))
        $0.u32(5)
      }
    }
  }
}
