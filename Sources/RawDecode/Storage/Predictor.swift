import Containers
import ImageCore

/// TIFF predictors (TIFF 6.0 §14, TIFF Technical Note 3, DNG 1.7.1 chapter 3): a row contains
/// differences to the sample `distance` before, in the pixel to the left, or, since DNG 1.4, two or
/// four pixels to the left, the same color of a mosaic.
///
/// 1 none; 2, 34892, 34893 differences of samples, modulo their range; 3, 34894, 34895 differences
/// of bytes, stored with the most significant bytes of all samples first, regardless of the byte
/// order of the file.
struct Predictor: Sendable {
  enum Kind: Sendable { case none, integers, floats }

  let kind: Kind
  /// Sample format in the row.
  let numbers: StoredSampleFormat
  /// Interleaved samples per pixel.
  let adjacent: Int
  /// Distance, in numbers or bytes, to the next value of the same sample.
  private let distance: Int

  /// The predictor of `storage`, which must be supported.
  init(_ storage: RawStorage, bigEndian: Bool) {
    numbers = StoredSampleFormat(storage, bigEndian: bigEndian)
    adjacent = storage.adjacentSamples
    let pixels: Int
    (kind, pixels) =
      switch storage.predictor {
      case TIFFTag.Predictor.horizontal: (.integers, 1)
      case TIFFTag.Predictor.horizontalX2: (.integers, 2)
      case TIFFTag.Predictor.horizontalX4: (.integers, 4)
      case TIFFTag.Predictor.floatingPoint: (.floats, 1)
      case TIFFTag.Predictor.floatingPointX2: (.floats, 2)
      case TIFFTag.Predictor.floatingPointX4: (.floats, 4)
      default: (.none, 1)
      }
    distance = adjacent * pixels
  }

  /// Sample format after decoding.
  var result: StoredSampleFormat {
    var numbers = numbers
    switch kind {
    case .none: break
    case .integers: numbers.bigEndian = false
    case .floats: numbers.bigEndian = true
    }
    return numbers
  }

  /// Converts the differences in `row` to `count` numbers. The result is in `row` or in `scratch`,
  /// which has the same length.
  func undo(
    _ row: SampleRow<UInt8>, count: Int, scratch: SampleRow<UInt8>
  ) -> SampleRow<UInt8> {
    switch (kind, numbers.bits) {
    case (.none, _): return row
    case (.integers, 8): sum(row, count)
    case (.integers, 16): sum(row.rebound(to: UInt16.self), count)
    case (.integers, _): sum(row.rebound(to: UInt32.self), count)
    case (.floats, let bits):
      sum(row, row.count)
      gather(row, into: scratch, width: bits / 8, count: count)
      return scratch
    }
    return row
  }

  /// Adds to each of `count` integers the one `distance` before; writes little-endian numbers.
  @inline(__always)
  private func sum<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: SampleRow<T>, _ count: Int
  ) {
    if numbers.bigEndian, MemoryLayout<T>.size > 1 {
      for i in 0..<count { values[i] = values[i].byteSwapped }
    }
    switch distance {
    // Running sums in registers for the common distances.
    case 1:
      var a: T = 0
      for i in 0..<count {
        a &+= values[i]
        values[i] = a
      }
    case 3 where count % 3 == 0:
      var (a, b, c): (T, T, T) = (0, 0, 0)
      for i in stride(from: 0, to: count, by: 3) {
        a &+= values[i]
        b &+= values[i + 1]
        c &+= values[i + 2]
        (values[i], values[i + 1], values[i + 2]) = (a, b, c)
      }
    default:
      guard distance < count else { return }
      for i in distance..<count { values[i] &+= values[i &- distance] }
    }
  }

  /// Reassembles the bytes of each number.
  private func gather(
    _ from: SampleRow<UInt8>, into to: SampleRow<UInt8>, width: Int, count: Int
  ) {
    switch width {
    case 2:
      for i in 0..<count { (to[2 &* i], to[2 &* i &+ 1]) = (from[i], from[count &+ i]) }
    case 4:
      for i in 0..<count {
        (to[4 &* i], to[4 &* i &+ 1]) = (from[i], from[count &+ i])
        (to[4 &* i &+ 2], to[4 &* i &+ 3]) = (from[2 &* count &+ i], from[3 &* count &+ i])
      }
    default:
      for i in 0..<count {
        for byte in 0..<width { to[width &* i &+ byte] = from[byte &* count &+ i] }
      }
    }
  }
}
