import AV1Codec
import Codecs
import Containers
import Formats
import ImageCore

/// Codes tiles of one size with libaom, each as a still picture that decodes alone. Every tile gets
/// a new codec: opening one takes 0.2 % of the time, and no state of earlier tiles can affect the
/// bits.
@safe final class AOMEncoder: TileEncoder {
  private let settings: AOMCodec.Settings
  /// 8-bit code values, which libaom takes as bytes: luma, Cb and Cr. Empty for other depths.
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ settings: AOMCodec.Settings) {
    self.settings = settings
    unsafe bytes = .allocate(capacity: settings.bits == 8 ? 3 * settings.size.area : 0)
  }

  deinit { unsafe bytes.deallocate() }

  func record(tile: [UInt8]) throws(WriteError) -> [UInt8] {
    guard
      let record = AV1Configuration.record(
        tile, bits: settings.bits, chromaFormat: settings.chroma.rawValue,
        position: settings.chromaPosition)
    else {
      throw WriteError(
        .encoderFailed, "libaom gave no still picture; version 3.6 or later is needed")
    }
    return record
  }

  func encode(_ codes: YCbCrPlanes) throws(WriteError) -> [UInt8] {
    let coded = try WriteError.encoding { () throws(CodecError) in
      try unsafe AOMCodec(settings).encode(
        settings.bits == 8 ? packed(codes) : Self.planes(codes))
    }
    guard let item = AV1Configuration.item(coded) else {
      throw WriteError(.encoderFailed, "libaom returned data that are not AV1; reinstall it")
    }
    return item
  }

  private static func planes(_ codes: YCbCrPlanes) -> [AOMCodec.Plane] {
    unsafe (codes.hasChroma ? [0, 1, 2] : [0, 0, 0]).map { plane in
      let stride = codes.stride(plane) * MemoryLayout<UInt16>.stride
      let start = unsafe UnsafeMutableRawPointer(codes.row(plane, 0).start)
      return unsafe (start.assumingMemoryBound(to: UInt8.self), stride)
    }
  }

  /// 8-bit code values are stored in the upper half of 16-bit words.
  private func packed(_ codes: YCbCrPlanes) -> [AOMCodec.Plane] {
    guard var next = unsafe bytes.baseAddress else { return unsafe [] }
    var planes: [AOMCodec.Plane] = unsafe []
    for plane in codes.hasChroma ? 0..<3 : 0..<1 {
      let size = plane == 0 ? codes.size : codes.chromaSize
      unsafe planes.append((next, size.width))
      for y in 0..<size.height {
        let row = codes.row(plane, y)
        for x in 0..<size.width { unsafe next[x] = UInt8(truncatingIfNeeded: row[x] >> 8) }
        unsafe next += size.width
      }
    }
    return unsafe codes.hasChroma ? planes : [planes[0], planes[0], planes[0]]
  }
}
