import Foundation
import HDRRender
import ImageCore

/// The decoded samples of a picture as stored in its file, interleaved. Immutable once filled.
@safe final class DecodedSamples: @unchecked Sendable {
  /// What a sample is.
  enum Format: Sendable, Hashable {
    /// Integers of `bits` bits, 1…16, in one byte up to 8 and in two, native, from 9 on; the
    /// maximum means 1.0.
    case codes(bits: Int)
    /// 32-bit floats, native.
    case floats
    /// 16-bit floats, native.
    case halves

    var isInteger: Bool { if case .codes = self { true } else { false } }

    var bytes: Int {
      switch self {
      case .codes(let bits): bits <= 8 ? 1 : 2
      case .floats: 4
      case .halves: 2
      }
    }
  }

  /// How opaque each pixel is.
  struct Alpha: Sendable {
    /// One channel of the picture's size.
    let samples: DecodedSamples
    /// Whether the colors are multiplied by it.
    let isPremultiplied: Bool
  }

  let size: PixelSize
  /// Samples per pixel: 1 gray, 3 RGB or 4 CMYK (0 is no ink). Gray and RGB have one more where the
  /// decoder interleaves alpha, until it is separated.
  let channels: Int
  /// Where the picture is not opaque.
  private(set) var alpha: Alpha?
  /// What is missing in it, one line each.
  private(set) var notes: [String] = []
  let format: Format
  /// Bytes from one row to the next.
  let stride: Int
  private let storage: UnsafeMutableRawPointer

  /// A picture whose rows `fill` writes.
  init<E: PixelErrorTranslating>(
    size: PixelSize, channels: Int, format: Format,
    fill: (DecodedSamples) throws(E) -> Void
  ) throws(E) {
    precondition((1...4).contains(channels), "gray or RGB, with or without alpha, or CMYK")
    self.size = size
    self.channels = channels
    self.format = format
    stride = DecodedSamples.bytes(
      PixelSize(width: size.width, height: 1), channels: channels, format)
    do throws(PixelError) {
      unsafe storage = try PixelMemory.allocate(bytes: stride * size.height)
    } catch { throw E(error) }
    try fill(self)
  }

  /// Bytes that a picture takes, each row of it a multiple of 16; `Int.max` where that is too few.
  static func bytes(_ size: PixelSize, channels: Int, _ format: Format) -> Int {
    let (row, isWide) = size.width.multipliedReportingOverflow(by: channels * format.bytes)
    let (padded, isWider) = row.addingReportingOverflow(15)
    let (bytes, overflow) = (padded & ~15).multipliedReportingOverflow(by: size.height)
    return isWide || isWider || overflow ? Int.max : bytes
  }

  deinit { unsafe PixelMemory.deallocate(storage, bytes: stride * size.height) }

  /// First byte of row `y`; written only while the picture is filled.
  func row(_ y: Int) -> UnsafeMutableRawPointer {
    precondition(y >= 0 && y < size.height, "row outside the picture")
    return unsafe storage + y * stride
  }

  /// Records what is missing; called while the picture is filled.
  func add(note: String) { notes.append(note) }

  /// Whether all samples are 0.
  var isClear: Bool {
    unsafe UnsafeRawBufferPointer(start: storage, count: stride * size.height)
      .allSatisfy { $0 == 0 }
  }

  /// Makes all samples 0; while the picture is filled.
  func clear() { unsafe memset(storage, 0, stride * size.height) }

  /// Adds alpha, one channel of this size, before the picture is shared. Integers that were
  /// multiplied by it are divided.
  func add(alpha samples: DecodedSamples, isPremultiplied: Bool) {
    precondition(samples.size == size && samples.channels == 1, "alpha of another kind")
    alpha = Alpha(samples: samples, isPremultiplied: isPremultiplied && !format.isInteger)
    guard isPremultiplied, case .codes(let bits) = format,
      case .codes(let alphaBits) = samples.format
    else { return }
    let (top, wide) = (UInt32(1 << bits - 1), bits > 8)
    let (alphaTop, isAlphaWide) = (UInt32(1 << alphaBits - 1), alphaBits > 8)
    for y in 0..<size.height {
      let (row, opacity) = unsafe (row(y), samples.row(y))
      for i in 0..<size.width * channels {
        let x = i / channels
        let a =
          isAlphaWide
          ? unsafe UInt32(opacity.assumingMemoryBound(to: UInt16.self)[x])
          : unsafe UInt32(opacity.assumingMemoryBound(to: UInt8.self)[x])
        guard a > 0 else { continue }
        func divided(_ code: UInt32) -> UInt32 { min((code * alphaTop + a / 2) / a, top) }
        if wide {
          let codes = unsafe row.assumingMemoryBound(to: UInt16.self)
          unsafe codes[i] = UInt16(divided(UInt32(codes[i])))
        } else {
          let codes = unsafe row.assumingMemoryBound(to: UInt8.self)
          unsafe codes[i] = UInt8(divided(UInt32(codes[i])))
        }
      }
    }
  }

  /// Colors and alpha, the last of the mixed samples of a pixel, apart.
  func withAlphaApart(isPremultiplied: Bool = false) throws(ReadError) -> DecodedSamples {
    let (mixed, colors, bytes) = (channels, channels - 1, format.bytes)
    func take(_ first: Int, _ count: Int, _ part: DecodedSamples) {
      for y in 0..<size.height {
        let (from, to) = unsafe (row(y), part.row(y))
        for x in 0..<size.width {
          unsafe (to + x * count * bytes).copyMemory(
            from: from + (x * mixed + first) * bytes, byteCount: count * bytes)
        }
      }
    }
    let alpha = try DecodedSamples(size: size, channels: 1, format: format) {
      (part) throws(ReadError) in take(colors, 1, part)
    }
    let picture = try DecodedSamples(size: size, channels: colors, format: format) {
      (part) throws(ReadError) in take(0, colors, part)
    }
    picture.add(alpha: alpha, isPremultiplied: isPremultiplied)
    picture.notes = notes
    return picture
  }

  /// Replaces NaN by 0 and infinities by the largest finite value, before the picture is shared.
  /// Returns a note if any were replaced.
  func makeFinite() -> String? {
    guard !format.isInteger else { return nil }
    let count = size.width * channels
    var (largest, others) = (Float(0), 0)
    func value(_ row: UnsafeMutableRawPointer, _ i: Int) -> Float {
      guard format == .halves else {
        return unsafe row.assumingMemoryBound(to: Float.self)[i]
      }
      return Float(anyHalf: unsafe row.assumingMemoryBound(to: UInt16.self)[i])
    }
    for y in 0..<size.height {
      let row = unsafe row(y)
      for i in 0..<count {
        let found = unsafe value(row, i)
        if found.isFinite { largest = max(largest, found) } else { others += 1 }
      }
    }
    guard others > 0 else { return nil }
    for y in 0..<size.height {
      let row = unsafe row(y)
      for i in 0..<count {
        let found = unsafe value(row, i)
        if found.isFinite { continue }
        let finite = found > 0 ? largest : 0
        if format == .halves {
          // The largest finite half is exact.
          unsafe row.assumingMemoryBound(to: UInt16.self)[i] = finite.halfBits
        } else {
          unsafe row.assumingMemoryBound(to: Float.self)[i] = finite
        }
      }
    }
    return
      "\(others) of its values are infinite or NaN; they became its maximum or black"
  }

  /// The samples as a gain map. They must be integers. Throws where some are missing, since these
  /// would show as false highlights.
  func gainMapImage() throws(GainMapError) -> GainMapImage {
    if let note = notes.first { throw GainMapError(.damaged, note) }
    guard case .codes(let bits) = format else { preconditionFailure("samples are not integers") }
    var codes: [UInt16] = []
    let count = size.width * channels
    codes.reserveCapacity(count * size.height)
    for y in 0..<size.height {
      let row = unsafe UnsafeRawPointer(row(y))
      if bits > 8 {
        unsafe codes += UnsafeBufferPointer(
          start: row.assumingMemoryBound(to: UInt16.self), count: count)
      } else {
        let bytes = unsafe UnsafeBufferPointer(
          start: row.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe codes += bytes.lazy.map(UInt16.init)
      }
    }
    return try GainMapImage(
      size: size, channels: channels, codes: codes,
      maximumCode: UInt16(truncatingIfNeeded: 1 << bits - 1))
  }
}
