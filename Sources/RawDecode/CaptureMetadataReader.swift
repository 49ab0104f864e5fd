import Containers
import Foundation
import ImageCore

extension CaptureMetadata {
  /// The metadata of a camera raw: from its TIFF directories or its Exif block, completed with
  /// LibRaw's.
  init(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    if let tiff {
      self.init(tiff)
    } else if let block = Self.fujiExif(file) {
      self.init(block)
    } else {
      self.init()
      let blocks = (try? CR3Boxes(file))?.blocks ?? [:]
      let directories: [(String, ExifEntry.Directory)] = [
        ("CMT1", .image), ("CMT2", .exif), ("CMT4", .gps),
      ]
      // Other entries are skipped: there may be any number of them.
      for (name, directory) in directories {
        guard let range = blocks[name], let block = try? TIFFFile(file, base: range.lowerBound)
        else { continue }
        add(block.first, as: directory)
      }
      makerNote = blocks["CMT3"].flatMap { MakerNote(structure: $0, of: file) }
    }
    fill(from: metadata)
    if self[.gps, 2] == nil, let position = metadata.position { fill(from: position) }
  }

  /// The Exif block of the JPEG within a Fujifilm RAF, whose offset is stored at 84; nil if it
  /// follows more segments than the limit.
  static func fujiExif(_ file: FileBytes) -> TIFFFile? {
    guard file.matches("FUJIFILMCCD-RAW", at: 0),
      let jpeg = file.integer(UInt32.self, at: 84, bigEndian: true).map({ Int($0) })
    else { return nil }
    return exif(ofJPEG: jpeg, in: file)
  }

  /// The Exif block of the JPEG at `jpeg`.
  static func exif(ofJPEG jpeg: Int, in file: FileBytes) -> TIFFFile? {
    guard file.integer(UInt16.self, at: jpeg, bigEndian: true) == 0xFFD8 else { return nil }
    let kind = JPEGIdentifier.exif
    // Lazily: a file of markers has one for every four bytes.
    let segments = unsafe JPEGMarkers(file.buffer, from: jpeg + 2)
    for segment in segments.prefix(file.limits.maxItems) {
      if segment.marker == 0xDA { return nil }
      if segment.marker == kind.marker, file.matches(kind.name, at: segment.start) {
        return try? TIFFFile(file, base: segment.start + kind.name.utf8.count)
      }
    }
    return nil
  }

  /// Sets missing values that LibRaw provides.
  private mutating func fill(from metadata: LibRawMetadata) {
    func set(_ directory: ExifEntry.Directory, _ tag: UInt16, _ text: String) {
      let text = String(text.reversed().drop { $0.isWhitespace }.reversed())
      if !text.isEmpty, self[directory, tag] == nil { self[directory, tag] = .ascii(text) }
    }
    func set(_ tag: UInt16, _ value: Double) {
      guard value > 0, value.isFinite, self[.exif, tag] == nil else { return }
      self[.exif, tag] = .rationals([Rational(approximating: value)])
    }
    set(.image, 0x010F, metadata.make)
    set(.image, 0x0110, metadata.model)
    set(.image, 0x0131, metadata.software)
    set(.image, 0x013B, metadata.artist)
    set(.image, 0x010E, metadata.description)
    set(.exif, 0xA434, metadata.lens)
    if self[.exif, 0xA432] == nil, let focal = metadata.lensRange.first,
      (0.1...10_000).contains(focal)
    {
      // 0/0 means unknown.
      self[.exif, 0xA432] = .rationals(
        metadata.lensRange.map { $0 > 0 ? Rational(approximating: $0) : Rational(0, 0) })
    }
    set(0x829A, metadata.shutter)
    set(0x829D, metadata.aperture)
    set(0x920A, metadata.focalLength)
    if metadata.iso >= 1, metadata.iso < 1e9, self[.exif, 0x8827] == nil {
      self[.exif, 0x8827] = .speed(Double(metadata.iso))
    }
    if metadata.timestamp > 0, let date = Self.localDate(metadata.timestamp) {
      set(.image, 0x0132, date)
      set(.exif, 0x9003, date)
    }
  }

  /// Converts `timestamp`, which LibRaw computed as if the camera's clock were in this machine's
  /// time zone, back to the camera's clock.
  private static func localDate(_ timestamp: Int) -> String? {
    var time = time_t(timestamp)
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 32)
    guard unsafe strftime(&text, text.count, "%Y:%m:%d %H:%M:%S", &parts) == 19 else { return nil }
    return String(decoding: text.prefix(19).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  private mutating func fill(from position: LibRawMetadata.Position) {
    self[.gps, 0] = .bytes([2, 3, 0, 0])
    self[.gps, 1] = .ascii(position.latitudeReference)
    self[.gps, 2] = .rationals(position.latitude.map { Rational(approximating: $0) })
    self[.gps, 3] = .ascii(position.longitudeReference)
    self[.gps, 4] = .rationals(position.longitude.map { Rational(approximating: $0) })
    self[.gps, 5] = .bytes([position.altitude < 0 ? 1 : 0])
    self[.gps, 6] = .rationals([Rational(approximating: abs(position.altitude))])
  }
}
