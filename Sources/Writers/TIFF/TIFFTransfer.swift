import Foundation
import ImageCore

/// The row encoders of the 16-bit TIFF spaces. Full range: code = signal × 65535, rounded.
enum TIFFTransfer {
  static let fullScale: Float = 65_535

  /// Rounds a signal that is already scaled to 0…65535: adding 2²³ leaves the nearest integer, ties
  /// to even, in the low bits.
  @inline(__always) static func code(_ scaled: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (scaled + 8_388_608).bitPattern)
  }
}

/// The same curve for each channel; light outside 0…peak is clamped.
struct ChannelEncoder: RowEncoder {
  private let table: TransferTable
  private let share: Float

  /// `signal` gives 0…1 for light as a share of `peak`, 1.0 = reference white. From
  /// 2^`lowestOctave` of the peak downwards the code is that of black.
  init(peak: Double, lowestOctave: Int, _ signal: (Double) -> Double) {
    share = Float(1 / peak)
    table = TransferTable(octaves: lowestOctave..<0) {
      signal($0) * Double(TIFFTransfer.fullScale)
    }
  }

  /// SMPTE ST 2084; 1.0 is 203 cd/m².
  static let pq = ChannelEncoder(peak: PQ.peakNits / ReferenceWhite.nits, lowestOctave: -50) {
    PQ.signal(nits: $0 * PQ.peakNits)
  }

  func encode(
    red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>, count: Int,
    into codes: UnsafeMutablePointer<UInt16>
  ) {
    table.withLookup { lookup in
      for x in 0..<count {
        codes[3 &* x] = TIFFTransfer.code(lookup(red[x] * share))
        codes[3 &* x &+ 1] = TIFFTransfer.code(lookup(green[x] * share))
        codes[3 &* x &+ 2] = TIFFTransfer.code(lookup(blue[x] * share))
      }
    }
  }
}

/// No curve: light 0…1 to codes 0…65535, clamped.
struct LinearEncoder: RowEncoder {
  func encode(
    red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>, count: Int,
    into codes: UnsafeMutablePointer<UInt16>
  ) {
    @inline(__always) func code(_ light: Float) -> UInt16 {
      let fromBelow = light > 0 ? light : 0
      return TIFFTransfer.code((fromBelow < 1 ? fromBelow : 1) * TIFFTransfer.fullScale)
    }
    for x in 0..<count {
      codes[3 &* x] = code(red[x])
      codes[3 &* x &+ 1] = code(green[x])
      codes[3 &* x &+ 2] = code(blue[x])
    }
  }
}

/// Hybrid log-gamma of BT.2100 for its display of 1000 cd/m²: display light F becomes scene light
/// E = F · Y^((1 − γ) / γ), γ = 1.2, then the OETF for each channel. Light outside 0…1000 cd/m² is
/// clamped before that, so the picture has to be rendered for a headroom of at most 4.926.
struct HLGEncoder: RowEncoder {
  private static let sceneGain = TransferTable(octaves: -60..<1) {
    pow($0, (1 - HLG.systemGamma) / HLG.systemGamma)
  }
  private static let signal = TransferTable(octaves: -36..<0) {
    HLG.signal(scene: $0) * Double(TIFFTransfer.fullScale)
  }

  func encode(
    red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>, count: Int,
    into codes: UnsafeMutablePointer<UInt16>
  ) {
    let weights = SIMD3<Float>(Primaries.bt2020.luminance)
    let share = Float(ReferenceWhite.nits / HLG.peakNits)
    @inline(__always) func display(_ light: Float) -> Float {
      let scaled = light * share
      let fromBelow = scaled > 0 ? scaled : 0
      return fromBelow < 1 ? fromBelow : 1
    }
    Self.sceneGain.withLookup { gain in
      Self.signal.withLookup { signal in
        for x in 0..<count {
          let (r, g, b) = (display(red[x]), display(green[x]), display(blue[x]))
          let scene = gain(r * weights.x + g * weights.y + b * weights.z)
          codes[3 &* x] = TIFFTransfer.code(signal(r * scene))
          codes[3 &* x &+ 1] = TIFFTransfer.code(signal(g * scene))
          codes[3 &* x &+ 2] = TIFFTransfer.code(signal(b * scene))
        }
      }
    }
  }
}
