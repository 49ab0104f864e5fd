import Codecs
import Containers
import HDRRender
import ImageCore

/// JPEG XL (ISO/IEC 18181), bare or in its container: the first picture, upright, decoded by
/// ``JPEGXL``. Integers of 8…14 bits are exact; all others become 16 bits or floats.
struct JPEGXLStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let header: JPEGXLStillInfo
  private let target: JPEGXL.Target
  private let format: DecodedSamples.Format
  private let map: JPEGXLGainMap?
  /// Whether samples are decoded as integers.
  var hasIntegers: Bool { if case .codes = format { true } else { false } }

  /// Maximum pixels in a byte of the file: a group of 1024 × 1024 takes 12 bits in the table of
  /// contents alone.
  private static let ratio = (2 << 20) / 3

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    let decoder = try ReadError.translating { () throws(FormatError) in try JPEGXL() }
    let found = try ReadError.translating { () throws(FormatError) in
      try decoder.stillInfo(file)
    }
    guard var header = found else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    guard !header.hasBlack else {
      throw ReadError(.unsupported, "its colors are CMYK; convert it to RGB", path: file.path)
    }
    // Only the result is stored.
    let mapBox = header.gainMap
    header.gainMap = nil
    let colors = JPEGXLColor(header)
    target = colors.target
    if header.isFloat || colors.target == .linearBT2020 {
      format = .floats
    } else {
      // libjxl scales samples of 9…15 bits to 0…65535; 15-bit samples cannot be recovered.
      format = .codes(bits: header.isXYB || header.bits > 14 ? 16 : max(header.bits, 8))
    }
    (self.file, self.policy, self.header) = (file, policy, header)
    var info = StillInfo(
      storedSize: header.size, bitDepth: header.bits, channels: header.channels, color: colors.color
    )
    info.isFloat = header.isFloat
    let exif = header.exif.map { ExifInfo(item: $0, of: file) } ?? ExifInfo()
    info.metadata = exif.metadata
    if let xmp = header.xmp { info.metadata.xmp = xmp }
    info.maker = exif.maker
    info.hdrMetadata = colors.hdrMetadata
    info.notes = colors.notes + exif.notes
    if header.hasAlpha {
      info.alpha = .init(isPremultiplied: header.isPremultiplied, isFloat: header.isFloat)
    }
    info.notes += Self.notes(header)
    if ContentCredentials.areInBoxes(of: file) { info.notes.append(ContentCredentials.note) }
    if Self.isCut(file) { info.notes.append(StillInfo.cutNote) }
    do throws(ReadError) {
      map = try mapBox.map { (box) throws(ReadError) in
        try JPEGXLGainMap(box, of: file, base: colors.color.primaries)
      }
    } catch {
      map = nil
      info.add(gainMapNotes: ["its gain map cannot be used: \(error.message)"])
    }
    info.gainMap = map?.description
    info.add(gainMapNotes: [map?.note].compactMap(\.self))
    self.info = info
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let floats = JPEGXLPictureCost.floats(extraChannels: header.extraChannels)
    try file.limits.allow(
      header.size, channels: floats, .floats, file: file, ratio: Self.ratio * floats)
    let damaged = ReadError(.damaged, "its pixels are damaged; copy it again", path: file.path)
    guard let cost = header.cost, cost.isWhole || policy.reads(.jpegXLEnd) else { throw damaged }
    guard cost.bytes <= Double(file.limits.maxDecodeBytes) else {
      throw ReadError(
        .tooLarge,
        "it takes more than the limit of \(file.limits.maxDecodeBytes) bytes; raise the limit",
        path: file.path, remedies: [.allowMemory])
    }
    let channels = header.channels + (header.hasAlpha ? 1 : 0)
    let picture = try DecodedSamples(size: header.size, channels: channels, format: format) {
      picture throws(ReadError) in
      let mayEndEarly = !cost.isWhole
      if mayEndEarly { picture.clear() }
      let sample: JPEGXL.Sample =
        switch format {
        case .codes(let bits): bits <= 8 ? .byte : .word
        case .floats, .halves: .float
        }
      let decoder = try ReadError.translating { () throws(FormatError) in try JPEGXL() }
      let ending = unsafe decoder.decodeStill(
        file, header, target, as: sample, mayEndEarly: mayEndEarly, into: picture.row(0),
        stride: picture.stride)
      try ReadError.translating { () throws(FormatError) in try file.checkReading() }
      switch ending {
      case .whole: break
      case .cut:
        // For lossless pictures it may report this and return no pixels.
        guard !picture.isClear else { throw damaged }
        picture.add(note: StillInfo.cutNote)
      case .failed: throw damaged
      }
      if case .codes(let bits) = format, (9...14).contains(bits) { restore(picture, bits) }
    }
    return header.hasAlpha
      ? try picture.withAlphaApart(isPremultiplied: header.isPremultiplied) : picture
  }

  func gainMap() throws(ReadError) -> GainMapImage {
    guard let map else {
      throw ReadError(.unsupported, "it has no gain map to read", path: file.path)
    }
    return try map.image()
  }

  func gainMapParameters() -> GainMapParameters {
    map.map { GainMapParameters(iso: $0.metadata) } ?? GainMapParameters()
  }

  /// Restores the original code values from those scaled to 0…65535.
  private func restore(_ picture: DecodedSamples, _ bits: Int) {
    let top = UInt32((1 << bits) - 1)
    for y in 0..<picture.size.height {
      let row = unsafe picture.row(y).assumingMemoryBound(to: UInt16.self)
      for i in 0..<picture.size.width * picture.channels {
        unsafe row[i] = UInt16(truncatingIfNeeded: (UInt32(row[i]) &* top &+ 32_767) / 65_535)
      }
    }
  }

  /// Whether the last box of a container is not all there.
  private static func isCut(_ file: FileBytes) -> Bool {
    guard file.matches("JXL ", at: 4) else { return false }
    var end = 0
    for _ in 0..<file.limits.maxItems where end < file.count {
      guard let box = file.box(at: end) else { return true }
      end = box.range.upperBound
    }
    return false
  }

  private static func notes(_ header: JPEGXLStillInfo) -> [String] {
    var notes: [String] = []
    if header.extraChannels > (header.hasAlpha ? 1 : 0) {
      notes.append("extra channels were left out")
    }
    if header.isAnimated { notes.append("the file is an animation; its first picture is read") }
    return notes
  }
}
