import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// A gain map as the content of a JPEG XL file's `jhgm` box: the record of ISO 21496-1, the color
/// encoding of the alternate rendition, and the samples as a bare codestream of 8 bits without
/// loss, so that they are read back as they were written.
struct JPEGXLGainMapBox {
  let content: [UInt8]
  /// What it could not hold, one sentence each.
  let notes: [String]

  private static let effort = 3

  /// `map`, coded on up to `workers` threads.
  init(_ map: StoredGainMap, workers: Int) throws {
    let plan = try GainMapEncoding(map, wanted: [.iso])
    let image = plan.image
    let codestream = try Self.codestream(image, workers: workers)
    let color = JPEGXLColorEncoding(
      map.alternatePrimaries, transfer: plan.metadata.isBaseHDR ? Self.srgbCurve : Self.pqCurve)
    content =
      JPEGXLGainMapBundle(
        record: plan.metadata.isoRecord, colorEncoding: color.bytes, codestream: codestream
      ).bytes
    notes =
      plan.notes
      + (plan.metadata.usesBaseColorSpace || color.primaries == map.alternatePrimaries
        ? []
        : ["the primaries in which the gain map acts have no name in JPEG XL; BT.2020 is declared"])
  }

  private static func codestream(_ image: GainMapImage, workers: Int) throws -> [UInt8] {
    do {
      return try JPEGXLEncoder.codestream(
        image.codes.map { UInt8(truncatingIfNeeded: $0) }, image.size, channels: image.channels,
        effort: effort, workers: workers)
    } catch let error as CodecError { throw WriteError(error) }
  }

  /// TransferCharacteristics of ITU-T H.273.
  private static let (srgbCurve, pqCurve): (UInt16, UInt16) = (13, 16)
}
