import Containers
import ImageCore

/// Camera raw storage formats that the installed LibRaw does not decode, detected from the file.
/// Such a file is rejected when it is opened, with the format's name and a remedy, instead of
/// failing later or decoding to noise.
///
/// Sources, each from files: Nikon's High Efficiency starts like JPEG XS (FF10 FF50) under
/// compression 34713, and NEFCompression (0x93) of the maker note is 13, or 14 for HE*. Sony stores
/// lossless compressed mosaics under compression 7, smaller sizes as YCbCr under 7, and the format
/// of 2025 under 32766. Panasonic numbers its formats in tag 0x2D. Fujifilm's compressed data start
/// with 4953 followed by a lossless flag. Canon's CMP1 box starts with the codec version. OM
/// Digital Solutions writes Olympus's ORF, whose storage, white and black LibRaw recognizes only
/// under the old maker name before 0.21. Support by LibRaw version: from its sources of 0.20.2,
/// 0.21.4 and 0.22.0.
struct UndecodedStorage {
  /// Name of the storage format.
  let name: String
  /// The first LibRaw version that decodes it; nil if none is known.
  var since: LibRawVersion?
  /// The camera setting that avoids it; nil if there is no choice.
  var setting: String?

  /// The newest known LibRaw. Newer versions may decode more.
  private static let newest = LibRawVersion(major: 0, minor: 22)

  /// Whether LibRaw `installed` does not decode it.
  func isUndecoded(by installed: LibRawVersion) -> Bool {
    since.map { installed < $0 } ?? (installed <= Self.newest)
  }

  /// Throws if the raw picture of `file`, which is not a DNG, has a storage format that `installed`
  /// does not decode.
  static func refuse(
    _ file: FileBytes, _ tiff: TIFFFile?, installed: LibRawVersion = .installed
  ) throws(RAWError) {
    guard let found = UndecodedStorage(file, tiff), found.isUndecoded(by: installed) else { return }
    throw found.refusal(camera: cameraName(file, tiff), installed: installed, path: file.path)
  }

  /// Throws if `file`, in which LibRaw found no raw, starts like a camera raw.
  static func refuseKnownContainer(_ file: FileBytes, _ tiff: TIFFFile?) throws(RAWError) {
    let isRaw =
      tiff.map { $0.magic != 42 && $0.magic != 43 } ?? RawCompleteness.isKnownContainer(file)
    let camera = cameraName(file, tiff)
    guard isRaw, !camera.isEmpty else { return }
    throw refusal(camera: camera, path: file.path)
  }

  /// The error for a storage format without a known name.
  static func refusal(camera: String, path: String?) -> RAWError {
    let workarounds = [Workaround.newerLibRaw, .conversion]
    return RAWError(
      .unsupported, .open,
      "\(FactOrigin.libRaw) does not decode the storage format of this raw of the \(camera); "
        + Workaround.sentence(workarounds),
      path: path, remedies: Workaround.remedies(workarounds))
  }

  private func refusal(camera: String, installed: LibRawVersion, path: String?) -> RAWError {
    let reader =
      since.map { "which LibRaw decodes from \($0) on; this is \(installed)" }
      ?? "which no LibRaw up to \(Self.newest) decodes"
    let workarounds = [since.map { _ in .newerLibRaw }, .conversion, setting.map { .setting($0) }]
      .compactMap { (way: Workaround?) in way }
    return RAWError(
      .unsupported, .open,
      "this raw\(camera.isEmpty ? "" : " of the \(camera)") is stored as \(name), \(reader); "
        + Workaround.sentence(workarounds),
      path: path, remedies: Workaround.remedies(workarounds))
  }

  /// Maker and model as stored in the file; empty if not found.
  private static func cameraName(_ file: FileBytes, _ tiff: TIFFFile?) -> String {
    if let tiff {
      let model = tiff.first[TIFFTag.model]?.name ?? ""
      let make = tiff.first[TIFFTag.make]?.name ?? ""
      let first = make.split(separator: " ").first.map(String.init) ?? ""
      return model.lowercased().hasPrefix(first.lowercased())
        ? model : [first, model].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if file.matches("FUJIFILMCCD-RAW", at: 0), let name = file.bytes(28, 32) {
      return "Fujifilm " + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let range = (try? CR3Boxes(file))?.blocks["CMT1"],
      let block = try? TIFFFile(file, base: range.lowerBound)
    else { return "" }
    return cameraName(file, block)
  }

  /// The storage of `file`; nil for formats that every LibRaw decodes and for unknown ones.
  init?(_ file: FileBytes, _ tiff: TIFFFile?) {
    guard let tiff else {
      if let own = Self.canon(file) ?? Self.fujifilm(file) { self = own } else { return nil }
      return
    }
    let make = (tiff.first[TIFFTag.make]?.name ?? "").lowercased()
    let own =
      switch true {
      case make.hasPrefix("nikon"): Self.nikon(file, tiff)
      case make.hasPrefix("sony"): Self.sony(file, tiff)
      case make.hasPrefix("om digital") && tiff.magic != 42:
        UndecodedStorage("OM System ORF", since: 21)
      default: tiff.magic == 0x55 ? Self.panasonic(tiff) : nil
      }
    guard let own else { return nil }
    self = own
  }

  private init(_ name: String, since minor: Int?, setting: String? = nil) {
    self.name = name
    since = minor.map { LibRawVersion(major: 0, minor: $0) }
    self.setting = setting
  }

  private static func nikon(_ file: FileBytes, _ tiff: TIFFFile) -> UndecodedStorage? {
    var compression: Int?
    if let note = tiff.directory(.exif)?[TIFFTag.makerNote],
      file.matches("Nikon\0", at: note.offset),
      let own = try? TIFFFile(file, base: note.offset + 10)
    {
      compression = own.first[0x93]?.integer
    }
    let starts = tiff.directories.contains { directory in
      directory[TIFFTag.compression]?.integer == TIFFTag.Compression.nikonNEF
        && (directory[TIFFTag.stripOffsets]?.integer).map {
          file.bytes($0, 4) == [0xFF, 0x10, 0xFF, 0x50]
        }
          == true
    }
    guard starts || compression == 13 || compression == 14 else { return nil }
    let name = compression == 14 ? "High Efficiency*" : "High Efficiency"
    return UndecodedStorage(
      "Nikon \(name) (TicoRAW)", since: nil,
      setting: "NEF (RAW) recording Lossless compression")
  }

  private static func sony(_ file: FileBytes, _ tiff: TIFFFile) -> UndecodedStorage? {
    // A directory with a mosaic is the raw picture, even if others contain JPEGs.
    let mosaic = tiff.directories.first(where: \.isMosaic)
    let isReduced = tiff.directories.contains { directory in
      (directory[TIFFTag.newSubfileType]?.integer ?? 0) == 0
        && directory[TIFFTag.compression]?.integer == TIFFTag.Compression.jpeg
        && directory[TIFFTag.photometricInterpretation]?.integer == TIFFTag.Photometric.ycbcr
        && directory[TIFFTag.samplesPerPixel]?.integer == 3
    }
    switch mosaic?[TIFFTag.compression]?.integer {
    case TIFFTag.Compression.jpeg where SonyLosslessDecoder.picture(tiff, file) != nil: return nil
    case TIFFTag.Compression.jpeg:
      return UndecodedStorage(
        "Sony lossless compressed ARW with an unknown tile layout", since: 21,
        setting: "RAW File Type Uncompressed")
    case TIFFTag.Compression.sonyARW6:
      return UndecodedStorage(
        "Sony ARW 6 (compression 32766) of an unknown type", since: nil,
        setting: "RAW File Type Lossless Comp or Uncompressed")
    case nil where mosaic == nil && isReduced:
      return UndecodedStorage(
        "Sony lossless compressed ARW of medium or small size (YCbCr)", since: 22,
        setting: "RAW File Type Lossless Comp (L) or Uncompressed")
    default: return nil
    }
  }

  private static func panasonic(_ tiff: TIFFFile) -> UndecodedStorage? {
    guard let format = tiff.first[0x2D]?.integer, format >= 8 else { return nil }
    return UndecodedStorage(
      "Panasonic RW2 of storage format \(format)", since: format == 8 ? 22 : nil)
  }

  private static func fujifilm(_ file: FileBytes) -> UndecodedStorage? {
    // This package decodes lossy samples, but LibRaw reads their size only since 0.21.
    guard let start = RAFMosaic(file)?.start,
      let kind = FujifilmHeader.kind(file, at: start), kind != 1
    else { return nil }
    return UndecodedStorage(
      kind == 0
        ? "Fujifilm lossy compressed RAF" : "Fujifilm compressed RAF of the unknown type \(kind)",
      since: kind == 0 ? 21 : nil, setting: "RAW recording Lossless or Uncompressed")
  }

  private static func canon(_ file: FileBytes) -> UndecodedStorage? {
    guard file.matches("ftypcrx", at: 4) else { return nil }
    guard let version = (try? CR3Boxes(file))?.pictures.map(\.version).max(), version > 0x100 else {
      return nil
    }
    return UndecodedStorage(
      "Canon CR3 of codec version \(version >> 8)", since: version == 0x200 ? 21 : nil)
  }
}
