import ImageCore

/// One property box of an item (ISO/IEC 23008-12:2022 section 6.5).
struct HEIFProperty: Hashable {
  let box: [UInt8]
  /// Whether a reader that does not know the box must leave the item alone.
  let isEssential: Bool

  init(essential: Bool = false, _ write: (inout BoxBytes) -> Void) {
    var bytes = BoxBytes()
    write(&bytes)
    (box, isEssential) = (bytes.bytes, essential)
  }

  static func decoderConfiguration(_ record: [UInt8], _ codec: any StillCodec) -> HEIFProperty {
    HEIFProperty(essential: true) { $0.box(codec.configurationType) { $0.append(record) } }
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

  /// Bits of each channel.
  static func depth(_ bits: Int, channels: Int = 3) -> HEIFProperty {
    HEIFProperty {
      $0.fullBox("pixi") {
        $0.u8(UInt8(truncatingIfNeeded: channels))
        for _ in 0..<channels { $0.u8(UInt8(truncatingIfNeeded: bits)) }
      }
    }
  }

  /// What an auxiliary picture holds, by name.
  static func auxiliary(_ urn: String) -> HEIFProperty {
    HEIFProperty(essential: true) { $0.fullBox("auxC") { $0.string(urn) } }
  }

  /// An ICC profile.
  static func profile(_ profile: [UInt8]) -> HEIFProperty {
    HEIFProperty {
      $0.box("colr") {
        $0.append("prof".utf8)
        $0.append(profile)
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
}
