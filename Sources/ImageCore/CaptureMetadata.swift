/// One Exif entry, as in a TIFF directory.
public struct ExifEntry: Sendable, Hashable {
  /// The three directories of an Exif block that describe the picture.
  public enum Directory: Sendable, Hashable, CaseIterable {
    /// IFD 0: make, model, date, artist, copyright.
    case image
    /// The Exif sub-directory: exposure, lens, dates.
    case exif
    /// The GPS sub-directory.
    case gps
  }

  /// The values of an entry, by TIFF type.
  public enum Value: Sendable, Hashable {
    /// BYTE.
    case bytes([UInt8])
    /// ASCII, without the closing NUL.
    case ascii(String)
    /// SHORT.
    case shorts([UInt16])
    /// LONG.
    case longs([UInt32])
    /// RATIONAL.
    case rationals([Rational])
    /// SRATIONAL.
    case signedRationals([SignedRational])
    /// UNDEFINED.
    case undefined([UInt8])
  }

  /// The directory of the entry.
  public var directory: Directory
  /// TIFF tag number.
  public var tag: UInt16
  /// The value with its TIFF type.
  public var value: Value

  /// The entry `tag` of `directory`.
  public init(_ directory: Directory, _ tag: UInt16, _ value: Value) {
    self.directory = directory
    self.tag = tag
    self.value = value
  }
}

extension ExifEntry {
  /// UserComment, whose text in Unicode has the byte order of its block; here the lowest byte is
  /// first.
  package static let userComment: UInt16 = 0x9286
}

extension ExifEntry.Value {
  /// Bytes that it takes in a file.
  package var byteCount: Int {
    switch self {
    case .bytes(let bytes), .undefined(let bytes): bytes.count
    case .ascii(let text): text.utf8.count + 1
    case .shorts(let values): 2 * values.count
    case .longs(let values): 4 * values.count
    case .rationals(let values): 8 * values.count
    case .signedRationals(let values): 8 * values.count
    }
  }

  /// An ISO speed, below 2³².
  package static func speed(_ iso: Double) -> Self {
    iso < 65_536 ? .shorts([UInt16(iso)]) : .longs([UInt32(iso)])
  }

  /// A UserComment of `text`.
  package static func comment(_ text: String) -> Self {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    let name = Array((isPlain ? "ASCII\0\0\0" : "UNICODE\0").utf8)
    let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return .undefined(name + (isPlain ? Array(text.utf8) : wide))
  }

  /// A UserComment in Unicode with the other byte order; any other as it is.
  package var withUnicodeTurned: Self {
    guard case .undefined(var bytes) = self, bytes.starts(with: Array("UNICODE\0".utf8)) else {
      return self
    }
    for at in stride(from: 8, to: bytes.count - 1, by: 2) { bytes.swapAt(at, at + 1) }
    return .undefined(bytes)
  }
}

extension ExifEntry {
  /// Sort key: directory, then tag.
  fileprivate var sortKey: Int {
    let rank =
      switch directory {
      case .image: 0
      case .exif: 1
      case .gps: 2
      }
    return rank << 16 | Int(tag)
  }
}

/// An unsigned fraction as Exif stores it; the denominator may be 0 (unknown).
public struct Rational: Sendable, Hashable {
  /// Upper number.
  public var numerator: UInt32
  /// Lower number.
  public var denominator: UInt32
  /// `numerator` / `denominator`.
  public init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
  /// The quotient; nil when the denominator is 0.
  public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

extension Rational {
  /// `value` ≥ 0 as 1/n for times below a second, else in steps that fit into 32 bits.
  package init(approximating value: Double) {
    guard value.isFinite, value > 0 else {
      self.init(0, 1)
      return
    }
    let inverse = 1 / value
    if inverse >= 1, inverse < 4e9, abs(inverse - inverse.rounded()) < 0.002 * inverse {
      self.init(1, UInt32(inverse.rounded()))
      return
    }
    var denominator = 10_000.0
    while value * denominator > 4e9, denominator > 1 { denominator /= 10 }
    self.init(
      UInt32(min(4_294_967_295, (value * denominator).rounded())), UInt32(denominator))
  }
}

/// A signed fraction as Exif stores it; the denominator may be 0 (unknown).
public struct SignedRational: Sendable, Hashable {
  /// Upper number.
  public var numerator: Int32
  /// Lower number.
  public var denominator: Int32
  /// `numerator` / `denominator`.
  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }
  /// The quotient; nil when the denominator is 0.
  public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

/// The metadata of a capture (camera, exposure, time, location), carried from the raw into every
/// output. Entries that describe the storage of the raw (sizes, strips, orientation) are not part
/// of it.
public struct CaptureMetadata: Sendable, Hashable {
  /// The entries, sorted by directory and tag, at most one for each.
  public var entries: [ExifEntry]
  /// The file's own XMP packet. Writers take from it what describes a finished picture.
  public var xmp: [UInt8]?
  /// The file's own datasets of IPTC-IIM (version 4.2).
  public var iptc: [UInt8]?
  /// The maker's own part of Exif.
  public var makerNote: MakerNote?
  /// What a written file is made of; nil to write no document IDs.
  public var derivation: Derivation?

  /// The maker note of a camera (Exif, tag 37500), whose layout the maker defines.
  public struct MakerNote: Sendable, Hashable {
    /// The positions at which a note stays readable.
    public enum Placement: Sendable, Hashable {
      /// Anywhere: its offsets count from its own start.
      case anywhere
      /// At this many bytes from the header of an Exif block of this byte order, from which its
      /// offsets count.
      case at(Int, bigEndian: Bool)
      /// Only its own position, as far as is known here.
      case nowhere
    }

    /// Its bytes.
    public var bytes: [UInt8]
    /// Where it may be written.
    public var placement: Placement

    /// A note of these bytes.
    public init(bytes: [UInt8], placement: Placement) {
      (self.bytes, self.placement) = (bytes, placement)
    }
  }

  /// What a written file is made of, for the document IDs of XMP.
  public struct Derivation: Sendable, Hashable {
    /// The UUID of the source, for sources that name themselves by no ID of their own.
    public var source: String
    /// The UUID of the written file: the same for the same source and settings.
    public var document: String
    /// The recipe by which it was developed, as text; nil to leave it out.
    public var recipe: String?
    /// When and by which camera the source was taken, as text; nil where that is not known.
    public var capture: String?
    /// Whether the written file records all of this. A file that does not still replaces an earlier
    /// output of the same source.
    public var isWritten = true

    /// A file `document` made of `source`.
    public init(source: String, document: String, recipe: String? = nil) {
      (self.source, self.document, self.recipe) = (source, document, recipe)
    }
  }

  /// Metadata of these entries.
  public init(entries: [ExifEntry] = [], xmp: [UInt8]? = nil) {
    self.entries = entries
    self.xmp = xmp
  }

  /// The value of `tag` in `directory`; setting nil removes it.
  public subscript(directory: ExifEntry.Directory, tag: UInt16) -> ExifEntry.Value? {
    get { entries.first { $0.directory == directory && $0.tag == tag }?.value }
    set {
      entries.removeAll { $0.directory == directory && $0.tag == tag }
      guard let newValue else { return }
      let entry = ExifEntry(directory, tag, newValue)
      entries.insert(
        entry, at: entries.firstIndex { $0.sortKey > entry.sortKey } ?? entries.endIndex)
    }
  }

  /// Sets all of `added`, no two of which have the same directory and tag. The subscript searches
  /// all entries for each: minutes for as many as a file can list.
  package mutating func set(_ added: [ExifEntry]) {
    let keys = Set(added.map(\.sortKey))
    entries.removeAll { keys.contains($0.sortKey) }
    entries = (entries + added).sorted { $0.sortKey < $1.sortKey }
  }

  private func text(_ directory: ExifEntry.Directory, _ tag: UInt16) -> String? {
    if case .ascii(let text)? = self[directory, tag], !text.isEmpty { text.asName } else { nil }
  }
  private func ratio(_ directory: ExifEntry.Directory, _ tag: UInt16) -> Double? {
    if case .rationals(let values)? = self[directory, tag] { values.first?.value } else { nil }
  }

  /// Manufacturer of the camera.
  public var make: String? { text(.image, 0x010F) }
  /// Model of the camera.
  public var model: String? { text(.image, 0x0110) }
  /// Manufacturer and model, which with some makers begins with the manufacturer; nil for neither.
  public var camera: String? {
    guard let make, let model else { return model ?? make }
    let maker = make.split(separator: " ").first ?? ""
    return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(make) \(model)"
  }
  /// Name of the lens.
  public var lens: String? { text(.exif, 0xA434) }
  /// Time of exposure in local time, `YYYY:MM:DD HH:MM:SS`.
  public var dateTimeOriginal: String? { text(.exif, 0x9003) }
  /// Shutter time in seconds.
  public var exposureTime: Double? { ratio(.exif, 0x829A) }
  /// Aperture, f-number.
  public var fNumber: Double? { ratio(.exif, 0x829D) }
  /// Focal length in millimeters.
  public var focalLength: Double? { ratio(.exif, 0x920A) }
  /// Exposure compensation in stops; for brackets, their steps.
  public var exposureBias: Double? {
    if case .signedRationals(let values)? = self[.exif, 0x9204] { values.first?.value } else { nil }
  }
  /// Whether the camera took it as one of a bracket (ExposureMode 2).
  public var isBracketed: Bool { self[.exif, 0xA402] == .shorts([2]) }
  /// Fraction of a second of ``dateTimeOriginal``; 0 where it is not recorded.
  public var subsecond: Double {
    guard let digits = text(.exif, 0x9291), let value = Double("0." + digits.prefix { $0.isNumber })
    else { return 0 }
    return value
  }
  /// ISO speed.
  public var isoSpeed: Int? {
    switch self[.exif, 0x8827] {
    case .shorts(let v): v.first.map(Int.init)
    case .longs(let v): v.first.map(Int.init)
    default: nil
    }
  }

  /// Latitude and longitude in degrees, north and east positive.
  public var location: (latitude: Double, longitude: Double)? {
    func degrees(_ tag: UInt16, _ reference: UInt16, negative: String) -> Double? {
      guard case .rationals(let dms)? = self[.gps, tag], dms.count == 3,
        let d = dms[0].value, let m = dms[1].value
      else { return nil }
      let value = d + m / 60 + (dms[2].value ?? 0) / 3600
      return text(.gps, reference) == negative ? -value : value
    }
    guard let latitude = degrees(2, 1, negative: "S"), let longitude = degrees(4, 3, negative: "W")
    else { return nil }
    return (latitude, longitude)
  }
}
