import ImageCore

/// Copies rows that libtiff decoded into a picture: selects the color channels, unpacks odd bit
/// depths (TIFF 6.0: most significant first, rows start at a byte), applies palettes.
struct TIFFSampleReader {
  let page: TIFFPicture
  let palette: [SIMD3<UInt16>]

  /// Copies `count` pixels from `source` to column `x` of row `y`; of a plane only its channel.
  func put(
    _ source: UnsafeRawPointer, count: Int, x: Int, y: Int, plane: Int?,
    into picture: DecodedSamples
  ) {
    let channels = picture.channels
    let row = unsafe picture.row(y) + x * channels * picture.format.bytes
    let step = plane == nil ? page.storedSamplesRead : 1
    if case .palette(let bits) = page.samples {
      let out = unsafe row.assumingMemoryBound(to: UInt16.self)
      for i in 0..<count {
        let index = unsafe Self.integer(source, i &* step, bits)
        let color = index < palette.count ? palette[index] : SIMD3(0, 0, 0)
        for c in 0..<3 { unsafe out[3 &* i &+ c] = color[c] }
      }
      return
    }
    for channel in 0..<channels where plane == nil || plane == channel {
      let first = plane == nil ? channel : 0
      let isOffset = page.hasSignedColors && channel > 0
      switch page.samples {
      case .integers(8):
        unsafe copy(source, first, step, row, channel, channels, count) { (v: UInt8) -> UInt8 in
          code(v, isOffset)
        }
      case .integers(16):
        unsafe copy(source, first, step, row, channel, channels, count) { (v: UInt16) -> UInt16 in
          code(v, isOffset)
        }
      case .integers(32):
        unsafe copy(source, first, step, row, channel, channels, count) { (v: UInt32) -> UInt16 in
          UInt16(truncatingIfNeeded: code(v, isOffset) >> 16)
        }
      case .integers(let bits):
        let top = (1 << bits) - 1
        for i in 0..<count {
          let stored = unsafe Self.integer(source, i &* step &+ first, bits)
          let code = page.isInverted ? top - stored : stored
          let index = i &* channels &+ channel
          if bits < 8 {
            unsafe row.assumingMemoryBound(to: UInt8.self)[index] = UInt8(truncatingIfNeeded: code)
          } else {
            unsafe row.assumingMemoryBound(to: UInt16.self)[index] = UInt16(
              truncatingIfNeeded: code)
          }
        }
      case .halves:
        unsafe copy(source, first, step, row, channel, channels, count) { (v: UInt16) -> UInt16 in v
        }
      case .floats24:
        let bytes = unsafe source.assumingMemoryBound(to: UInt8.self) + 3 * first
        let out = unsafe row.assumingMemoryBound(to: Float.self) + channel
        // libtiff returns them in native byte order, which is little-endian.
        for i in 0..<count {
          let at = unsafe bytes + 3 * i &* step
          unsafe out[i &* channels] = Float(
            stored24: UInt32(at[2]) << 16 | UInt32(at[1]) << 8 | UInt32(at[0]))
        }
      case .floats:
        unsafe copy(source, first, step, row, channel, channels, count) { (v: Float) -> Float in v }
      case .doubles:
        unsafe copy(source, first, step, row, channel, channels, count) { (v: Double) -> Float in
          Float(v)
        }
      case .palette, .converted: break
      }
    }
  }

  /// The code of a stored integer: a signed one is scaled to all unsigned bits, 0 where negative;
  /// with `isOffset`, a signed one whose 0 is the middle.
  @inline(__always) private func code<Code: FixedWidthInteger & UnsignedInteger>(
    _ stored: Code, _ isOffset: Bool
  ) -> Code {
    if page.isSigned {
      return stored.leadingZeroBitCount == 0 ? 0 : stored << 1 | stored >> (Code.bitWidth - 2)
    }
    return page.isInverted ? ~stored : isOffset ? stored ^ 1 << (Code.bitWidth - 1) : stored
  }

  @inline(__always) private func copy<Stored, Code>(
    _ source: UnsafeRawPointer, _ first: Int, _ step: Int, _ row: UnsafeMutableRawPointer,
    _ channel: Int, _ channels: Int, _ count: Int, _ code: (Stored) -> Code
  ) {
    let stored = unsafe source.assumingMemoryBound(to: Stored.self) + first
    let out = unsafe row.assumingMemoryBound(to: Code.self) + channel
    for i in 0..<count { unsafe out[i &* channels] = code(stored[i &* step]) }
  }

  /// Sample `index` of a row of samples of `bits` bits, 1…16; 16-bit samples in native byte order.
  private static func integer(_ source: UnsafeRawPointer, _ index: Int, _ bits: Int) -> Int {
    let bytes = unsafe source.assumingMemoryBound(to: UInt8.self)
    switch bits {
    case 8: return unsafe Int(bytes[index])
    case 16: return unsafe Int(source.assumingMemoryBound(to: UInt16.self)[index])
    default:
      let start = index &* bits
      var value = 0
      var have = 0
      var at = start >> 3
      // The leading bits of the first byte belong to the previous sample.
      value = unsafe Int(bytes[at]) & (0xFF >> (start & 7))
      have = 8 - (start & 7)
      while have < bits {
        at &+= 1
        value = unsafe value << 8 | Int(bytes[at])
        have &+= 8
      }
      return value >> (have - bits)
    }
  }
}
