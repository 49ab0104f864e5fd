import Containers
import HDRRender
import ImageCore

/// The gain map of a JPEG XL file: what its `jhgm` box holds.
struct JPEGXLGainMap: Sendable {
  let description: GainMapDescription
  let metadata: GainMapMetadata
  /// What of it is not used, one sentence.
  let note: String?
  private let samples: any StillContainer

  /// Throws where the map cannot be used. `base`: primaries of the picture.
  init(_ box: [UInt8], of file: FileBytes, base: Primaries) throws(ReadError) {
    let bundle = try ReadError.translating { () throws(FormatError) in
      try JPEGXLGainMapBundle(box)
    }
    do { metadata = try GainMapMetadata(isoRecord: bundle.record) } catch {
      throw ReadError(error.code == .unsupported ? .unsupported : .damaged, error.message)
    }
    let codestream = try ReadError.translating { () throws(FormatError) in
      try FileBytes(bundle.codestream, of: file)
    }
    // A bare codestream, as the bundle checks, has no boxes and so no gain map.
    let samples = try JPEGXLStill(codestream)
    let info = samples.info
    guard samples.hasIntegers else {
      throw ReadError(.unsupported, "its samples are not integers; write it again")
    }
    self.samples = samples
    var alternate: Primaries?
    if !metadata.usesBaseColorSpace {
      alternate = JPEGXLColorEncoding(bundle.colorEncoding)?.primaries
    }
    note =
      metadata.usesBaseColorSpace || alternate != nil
      ? nil
      : "gain map: the color space of its gains is not supported; the picture's is used"
    description = GainMapDescription(
      formats: [.iso], size: info.storedSize, channels: info.channels,
      bitDepth: info.bitDepth, formula: .iso(metadata),
      alternatePrimaries: alternate == base ? nil : alternate)
  }

  /// The samples.
  func image() throws(ReadError) -> GainMapImage {
    let picture = try samples.picture()
    do { return try picture.gainMapImage() } catch { throw ReadError(.damaged, error.message) }
  }
}
