import Containers
import ImageCore
import Readers
import Writers

/// The second picture of a JPEG file: the coded map with the segments that give it its meaning.
enum GainMapJPEG {
  /// `coded`, a JPEG whose own segments are removed, with the segments of `old`, or with
  /// `parameters` instead.
  static func picture(
    coded: [UInt8], parameters: GainMapParameters?, old: JPEGSegments?
  ) throws(ReadError) -> [UInt8] {
    var segments: [UInt8] = []
    if let parameters {
      segments += try JPEGIdentifier.jfif.segment([1, 1, 0, 0, 1, 0, 1, 0, 0], "JFIF")
      let elements = descriptions(parameters)
      if !elements.isEmpty {
        segments += try JPEGIdentifier.xmp.segment(
          XMPWriter.packet(descriptions: elements), "the gain map's XMP")
      }
      // The map's profile names the primaries of the other rendition.
      let ends = Set((old?.payloads(.profile) ?? []).map(\.upperBound))
      for segment in old?.applications ?? [] where ends.contains(segment.payload.upperBound) {
        segments += segmentBytes(segment, old)
      }
      if let iso = parameters.iso {
        segments += try JPEGIdentifier.gainMap.segment(iso.isoRecord, "the record")
      }
    } else {
      // How the samples are coded is declared by the new picture.
      for segment in old?.applications ?? [] where segment.marker != 0xEE {
        segments += segmentBytes(segment, old)
      }
    }
    return [0xFF, 0xD8] + segments + (try content(coded))
  }

  private static func descriptions(_ parameters: GainMapParameters) -> [String] {
    (parameters.ultraHDR.map { [$0.xmpDescription] } ?? [])
      + (parameters.apple.map { [$0.xmpDescription, AppleGainMap.pixelDataDescription] } ?? [])
  }

  private static func segmentBytes(_ segment: JPEGSegments.Segment, _ image: JPEGSegments?)
    -> [UInt8]
  {
    let range = JPEGSegments.segmentRange(segment.payload)
    return image?.file.bytes(range.lowerBound, range.count) ?? []
  }

  /// All of a JPEG after its start marker except the application segments; Adobe's stays, which
  /// declares how colors are coded.
  private static func content(_ jpeg: [UInt8]) throws(ReadError) -> [UInt8] {
    guard let file = try? FileBytes(jpeg), let image = JPEGSegments(file), image.scan != nil,
      let end = image.end()
    else { throw ReadError.contradiction("the gain map's JPEG has no end marker") }
    var out: [UInt8] = []
    var position = 2
    for segment in image.applications {
      let range = JPEGSegments.segmentRange(segment.payload)
      if segment.marker == 0xEE { continue }
      guard range.lowerBound >= position else { continue }
      out += jpeg[position..<range.lowerBound]
      position = range.upperBound
    }
    return out + jpeg[position..<end]
  }
}
