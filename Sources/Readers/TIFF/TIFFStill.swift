import Containers
import HDRRender
import ImageCore
import TIFFCodec

/// TIFF and BigTIFF: the first page that is not a reduced-resolution version. Directories
/// are read by ``TIFFFile``, pixels by libtiff. Further samples than alpha are left out.
struct TIFFStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let page: TIFFPicture
  private let index: Int
  private let directory: TIFFDirectory

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    let found: TIFFFile?
    do { found = try TIFFFile(file) } catch { throw ReadError(error) }
    guard let tiff = found else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    try Self.refuseRaws(tiff, file)
    let pages = tiff.directories.compactMap { directory -> (Int, TIFFDirectory)? in
      if case .main(let index) = directory.role { (index, directory) } else { nil }
    }
    func isPicture(_ directory: TIFFDirectory) -> Bool {
      (directory[TIFFTag.newSubfileType]?.integer ?? 0) & 0b101 == 0
    }
    guard let (index, directory) = pages.first(where: { isPicture($0.1) }) ?? pages.first else {
      throw ReadError(.damaged, "it has no directory; copy it again", path: file.path)
    }
    let page = try TIFFPicture(Self.open(file, page: index), path: file.path)
    (self.file, self.policy, self.page, self.index) = (file, policy, page, index)
    self.directory = directory

    var notes: [String] = []
    let color = Self.color(page, directory[TIFFTag.iccProfile]?.bytes, &notes)
    let exif = ExifInfo(tiff)
    var info = StillInfo(
      storedSize: page.size,
      orientation: directory[TIFFTag.orientation]?.integer.flatMap(Orientation.init(rawValue:))
        ?? .up,
      bitDepth: page.bits, channels: page.channels, color: color)
    info.isFloat = page.isFloat
    if page.hasAlpha {
      info.alpha = .init(isPremultiplied: page.isPremultiplied, isFloat: page.isFloat)
    }
    info.metadata = exif.metadata
    if let xmp = directory[TIFFTag.xmp]?.bytes, !xmp.isEmpty { info.metadata.xmp = xmp }
    info.maker = exif.maker
    info.thumbnails = tiff.directories.compactMap { directory in
      guard (directory[TIFFTag.newSubfileType]?.integer ?? 0) & 1 == 1,
        let width = directory[TIFFTag.imageWidth]?.integer,
        let height = directory[TIFFTag.imageLength]?.integer
      else { return nil }
      return PixelSize(width: width, height: height)
    }
    let pictures = pages.count { isPicture($0.1) }
    if tiff.directories.contains(where: { $0[TIFFTag.credentials] != nil }) {
      notes.append(ContentCredentials.note)
    }
    if tiff.pointsOutside { notes.append("\(ExifInfo.cutNote); copy it again") }
    if pictures > 1 { notes.append("the file has \(pictures) pages; the first is read") }
    info.notes += notes
    self.info = info
  }

  private static func open(_ file: FileBytes, page: Int) throws(ReadError) -> TIFFDecoder {
    try ReadError.translating { () throws(FormatError) in try TIFFDecoder(file, page: page) }
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let source = try Self.open(file, page: index)
    return try TIFFPixels(
      source: source, page: page, directory: directory, file: file, policy: policy
    ).read()
  }

  /// DNG, mosaics and linear raws anywhere in the file, Canon's CR2.
  private static func refuseRaws(_ tiff: TIFFFile, _ file: FileBytes) throws(ReadError) {
    let isRaw = tiff.directories.contains { directory in
      directory[DNGTag.version] != nil
        || [TIFFTag.Photometric.colorFilterArray, TIFFTag.Photometric.linearRaw].contains(
          directory[TIFFTag.photometricInterpretation]?.integer ?? 0)
    }
    guard !isRaw, !file.matches("CR\u{2}\0", at: 8) else {
      throw ReadError(.unsupported, "this is a camera raw; develop it", path: file.path)
    }
  }

  private static func color(
    _ page: TIFFPicture, _ profile: [UInt8]?, _ notes: inout [String]
  ) -> ColorDescription {
    if page.extras.count > (page.hasAlpha ? 1 : 0) {
      notes.append("extra samples of each pixel were left out")
    }
    if page.isSigned { notes.append("its samples are signed; values below 0 are black") }
    if page.isLogarithmic {
      notes.append("its LogLuv or LogL is read as CIE XYZ (D65), Y = 1 for white")
      return ColorDescription(
        primaries: .bt2020, transfer: .linear,
        matrix: page.channels == 3 ? Primaries.bt2020.fromXYZ : .identity, origin: .codePoints,
        name: "CIE XYZ, linear")
    }
    if let lab = page.lab {
      return ColorDescription(
        primaries: .bt2020, transfer: .lab(lab), origin: .codePoints, name: "CIE L*a*b* under D50")
    }
    if page.channels == 4 { return InkLookup.color(profile, &notes) }
    if let profile, !profile.isEmpty {
      if let found = ICCReader.description(of: profile) { return found }
      notes.append(ICCReader.damagedNote)
    }
    guard page.isFloat else { return .assumed }
    notes.append("its floats have no ICC profile; linear sRGB with white at 1.0 is assumed")
    return ColorDescription(
      primaries: .srgb, transfer: .linear, origin: .assumed, name: "linear sRGB (assumed)")
  }
}
