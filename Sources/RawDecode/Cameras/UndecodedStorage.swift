import Containers
import ImageCore

/// Storages of camera raws that the installed LibRaw does not decode, told by what the file says,
/// so that it is refused when it is opened, with what it is and the way out, instead of failing
/// later or developing to noise.
///
/// Facts, each from the file: Nikon's High Efficiency starts as JPEG XS does (FF10 FF50) under
/// compression 34713, and NEFCompression (0x93) of the maker note is 13, or 14 for HE*; Sony writes
/// lossless compressed mosaics under compression 7, smaller sizes of them as YCbCr under 7, and the
/// form of 2025 under 32766; Panasonic numbers its storages in tag 0x2D; Fujifilm's compressed data
/// start with 4953 and say behind it whether they are lossless; Canon's CMP1 box begins with the
/// version of the codec; OM Digital Solutions writes the ORF of Olympus, whose storages, white and
/// black LibRaw looks for under the old maker alone until 0.21. Which LibRaw reads what: its
/// sources of 0.20.2, 0.21.4 and 0.22.0.
struct UndecodedStorage {
  /// What the storage is called.
  let name: String
  /// The first LibRaw that decodes it; nil where none known here does.
  var since: LibRawVersion?
  /// What to set in the camera; nil where there is no choice.
  var setting: String?

  /// The newest LibRaw whose storages are known here. One that is newer may decode more.
  private static let newest = LibRawVersion(major: 0, minor: 22)

  /// Whether `installed` does not decode it.
  func isUndecoded(by installed: LibRawVersion) -> Bool {
    since.map { installed < $0 } ?? (installed <= Self.newest)
  }

  /// Fails when the raw picture of `file`, which is no DNG, is stored in a way that `installed`
  /// does not decode.
  static func refuse(
    _ file: FileBytes, _ tiff: TIFFFile?, installed: LibRawVersion = .installed
  ) throws(RAWError) {
    guard let found = UndecodedStorage(file, tiff), found.isUndecoded(by: installed) else { return }
    throw found.refusal(camera: cameraName(file, tiff), installed: installed, path: file.path)
  }

  /// Fails when `file`, in which LibRaw found no raw, starts as camera raws do.
  static func refuseKnownContainer(_ file: FileBytes, _ tiff: TIFFFile?) throws(RAWError) {
    let isRaw =
      tiff.map { $0.magic != 42 && $0.magic != 43 } ?? RawCompleteness.isKnownContainer(file)
    let camera = cameraName(file, tiff)
    guard isRaw, !camera.isEmpty else { return }
    throw refusal(camera: camera, path: file.path)
  }

  /// The failure for a storage that has no name here.
  static func refusal(camera: String, path: String?) -> RAWError {
    let ways = [WayOut.newerLibRaw, .conversion]
    return RAWError(
      .unsupported, .open,
      "\(FactOrigin.libRaw) does not decode the storage format of this raw of the \(camera); "
        + WayOut.sentence(ways),
      path: path, remedies: WayOut.remedies(ways))
  }

  private func refusal(camera: String, installed: LibRawVersion, path: String?) -> RAWError {
    let reader =
      since.map { "which LibRaw decodes from \($0) on; this is \(installed)" }
      ?? "which no LibRaw up to \(Self.newest) decodes"
    let ways = [since.map { _ in .newerLibRaw }, .conversion, setting.map { .setting($0) }]
      .compactMap { (way: WayOut?) in way }
    return RAWError(
      .unsupported, .open,
      "this raw\(camera.isEmpty ? "" : " of the \(camera)") is stored as \(name), \(reader); "
        + WayOut.sentence(ways),
      path: path, remedies: WayOut.remedies(ways))
  }

  /// Maker and model as the file has them; empty where they are not found.
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

  /// The storage of `file`; nil for those that every LibRaw decodes, and for those not known here.
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
    // Where there is a mosaic, it is the raw picture, and JPEGs in the other directories are not.
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
    // Lossy samples are decoded here, but LibRaw reads their size from 0.21 on.
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
