import Foundation

/// One parser, or one path through all of them, that is given arbitrary bytes. A target returns
/// whatever the bytes are; what it must never do is trap, hang, read outside a buffer or take more
/// memory than the limits allow.
enum FuzzTarget: String, CaseIterable {
  // Structures of files.
  case tiff, jpeg, heif, png, jpegxl, exr
  // Metadata.
  case xmp, iptc, icc, isoGainMap = "iso-gain-map", appleNote = "apple-note"
  // What a DNG holds, inside a sound DNG.
  case losslessJPEG = "lossless-jpeg", vc5, lossyJPEG = "lossy-jpeg", deflate
  case jpegxlTile = "jpeg-xl-tile", opcodes, gainTableMap = "gain-table-map"
  // Files beside a picture.
  case cameraProfile = "camera-profile", look
  // Whole paths.
  case raw, still, remux, dng, convert
  // Text.
  case recipe, sidecar, folder, journal, report, manifest, worker, serve

  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .tiff: Structures.tiff(bytes)
    case .jpeg: Structures.jpeg(bytes)
    case .heif: Structures.heif(bytes)
    case .png: Structures.png(bytes)
    case .jpegxl: Structures.jpegxl(bytes)
    case .exr: Structures.exr(bytes)
    case .xmp: Metadata.xmp(bytes)
    case .iptc: Metadata.iptc(bytes)
    case .icc: Metadata.icc(bytes)
    case .isoGainMap: Metadata.isoGainMap(bytes)
    case .appleNote: Metadata.appleNote(bytes)
    case .losslessJPEG: try DNGShell.open(compression: 7, strip: bytes)
    case .vc5: try DNGShell.open(compression: 9, strip: bytes)
    case .lossyJPEG: try DNGShell.open(compression: 34892, strip: bytes)
    case .deflate: try DNGShell.open(compression: 8, strip: bytes)
    case .jpegxlTile: try DNGShell.open(compression: 52546, strip: bytes)
    case .opcodes: try DNGShell.open(opcodeLists: bytes)
    case .gainTableMap: try DNGShell.open(gainTableMap: bytes)
    case .cameraProfile: Pictures.cameraProfile(bytes)
    case .look: Pictures.look(bytes)
    case .raw: try Pictures.raw(bytes)
    case .still: try Pictures.still(bytes)
    case .remux: Pictures.remux(bytes)
    case .dng: try Written.dng(bytes)
    case .convert: Written.convert(bytes)
    case .recipe: Texts.recipe(bytes)
    case .sidecar: Texts.sidecar(bytes)
    case .folder: Texts.folder(bytes)
    case .journal: Texts.journal(bytes)
    case .report: Texts.report(bytes)
    case .manifest: Texts.manifest(bytes)
    case .worker: Texts.worker(bytes)
    case .serve: Texts.serve(bytes)
    }
  }
}
