package import Containers
import ImageCore

/// Decodes one coded picture, HEVC, AV1, JPEG or not compressed, to its planes.
///
/// A decoder gets only the data of one picture whose header was parsed before (``CodedStill``): its
/// size is known, and within the caller's limits, before a decoder is opened. The decoded planes
/// must match that header.
package enum StillDecoder {
  /// Passes the planes of the picture in `data` to `receive`; they are valid during that call only.
  /// `record`: its decoder configuration; up to `threads` threads decode.
  package static func decode(
    _ still: CodedStill, record: [UInt8], data: [UInt8], threads: Int,
    receive: (CodedPlanes) -> Void
  ) throws(FormatError) {
    guard data.count < 1 << 31 else {
      throw FormatError(
        .tooLarge, "a coded picture has \(data.count) bytes, 2 GiB or more; reduce the picture")
    }
    guard data.count >= still.minBytes else {
      throw .contradiction("a coded picture of \(still.codedSize) has only \(data.count) bytes")
    }
    func check(_ planes: CodedPlanes) throws(FormatError) {
      guard planes.holds(still.size, bits: still.bits, isGray: still.isGray) else {
        throw .contradiction("the decoded picture does not match its headers")
      }
      receive(planes)
    }
    switch still.codec {
    case .hevc:
      let decoder = try HEVCDecoder()
      let units = try HEVCConfiguration(record).units(of: data)
      try check(try decoder.picture(units))
      withExtendedLifetime(decoder) {}
    case .av1:
      let decoder = try AV1Decoder(maxPixels: still.size.area, threads: threads)
      let units = try AV1Configuration.units(record, data)
      try check(try decoder.picture(units))
      withExtendedLifetime(decoder) {}
    case .jpeg:
      let planes = try OwnedPlanes(still)
      try planes.fill(jpeg: record + data)
      try check(planes.coded)
      withExtendedLifetime(planes) {}
    case .uncompressed:
      let planes = try OwnedPlanes(still)
      try planes.fill(data, UncompressedLayout(record))
      try check(planes.coded)
      withExtendedLifetime(planes) {}
    }
  }

  /// The error for data that a decoder rejects.
  package static func refusal(_ decoder: String, _ reason: String) -> FormatError {
    .contradiction("its coded data cannot be decoded (\(decoder): \(reason))")
  }

  /// The error for a picture for which a decoder has no memory.
  package static func outOfMemory(_ decoder: String) -> FormatError {
    FormatError(.tooLarge, "\(decoder) has not enough memory to decode it; reduce the picture")
  }
}
