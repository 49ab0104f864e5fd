import Codecs
import Containers
import Formats
package import HDRRender
package import ImageCore

/// A gain map as the content of a JPEG XL file's `jhgm` box: the record of ISO 21496-1, the color
/// encoding of the alternate rendition, and the samples as a bare codestream of 8 bits without
/// loss, so that they are read back as they were written.
package struct JPEGXLGainMapBox {
  package let content: [UInt8]
  /// What it could not hold, one sentence each.
  package let notes: [String]

  private static let effort = 3

  /// `map`, coded. `workers`: maximum threads; they do not change the bytes.
  init(_ map: StoredGainMap, workers: Int) throws {
    let plan = try GainMapEncoding(map, wanted: [.iso])
    try self.init(
      plan.image, plan.metadata, map.alternatePrimaries, notes: plan.notes, workers: workers)
  }

  /// Samples of 8 bits and their metadata. `alternatePrimaries`: primaries of the other rendition.
  package init(
    _ image: GainMapImage, _ metadata: GainMapMetadata, _ alternatePrimaries: Primaries,
    notes: [String] = [], workers: Int
  ) throws {
    let color = JPEGXLColorEncoding(
      alternatePrimaries, transfer: metadata.isBaseHDR ? Self.srgbCurve : Self.pqCurve)
    content =
      JPEGXLGainMapBundle(
        record: metadata.isoRecord, colorEncoding: color.bytes,
        codestream: try Self.codestream(image, workers: workers)
      ).bytes
    self.notes =
      notes
      + (metadata.usesBaseColorSpace || color.primaries == alternatePrimaries
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
