import CLibEXIF
import Formats
import Foundation
import ImageCore

/// libexif has a type of the same name.
private typealias Entry = ImageCore.ExifEntry

/// Capture metadata as an Exif block (CIPA DC-008-2023): a little-endian TIFF structure.
enum EXIF {
  /// Tags that describe the file they stand in, by directory; those of the raw do not apply.
  private static let replaced: [Entry.Directory: Set<UInt16>] = [
    .image: [0x0112, 0x0131, 0x0201, 0x0202, 0x8769, 0x8825],
    .exif: [0xA001, 0xA002, 0xA003, 0xA005],
    .gps: [],
  ]

  /// What Exif asks of a JPEG (CIPA DC-008 tables 17 and 18): 72 pixels an inch, as Exif has it when
  /// nothing is known, colour differences in the middle of four pixels, Y Cb Cr, FlashPix 1.0.
  private static let ofJPEG = [
    Entry(.image, 0x011A, .rationals([Rational(72, 1)])),
    Entry(.image, 0x011B, .rationals([Rational(72, 1)])),
    Entry(.image, 0x0128, .shorts([2])),
    Entry(.image, 0x0213, .shorts([1])),
    Entry(.exif, 0x9101, .undefined([1, 2, 3, 0])),
    Entry(.exif, 0xA000, .undefined(Array("0100".utf8))),
  ]

  /// The block of a JPEG: that of other files, with what Exif asks of a JPEG where it is missing.
  static func jpegBlock(
    _ metadata: CaptureMetadata, size: PixelSize, isSRGB: Bool, makerNote: [UInt8]? = nil
  ) throws(WriteError) -> [UInt8] {
    var metadata = metadata
    // Where these stand describes the written file.
    for tag: UInt16 in [0x0213, 0x9101] { metadata.entries.removeAll { $0.tag == tag } }
    metadata.entries += ofJPEG.filter { metadata[$0.directory, $0.tag] == nil }
    return try block(metadata, size: size, isSRGB: isSRGB, makerNote: makerNote)
  }

  /// The entries of `metadata` with the facts of the written file: upright, `size`, and as colour
  /// space sRGB or one that Exif has no number for. A `makerNote` replaces any other. Starts with
  /// `II*\0`.
  static func block(
    _ metadata: CaptureMetadata, size: PixelSize, isSRGB: Bool = false, makerNote: [UInt8]? = nil
  ) throws(WriteError) -> [UInt8] {
    var entries = metadata.entries.filter { replaced[$0.directory]?.contains($0.tag) == false }
    entries += [
      Entry(.image, 0x0112, .shorts([1])),
      Entry(.image, 0x0131, .ascii("rawdev")),
      Entry(.exif, 0xA001, .shorts([isSRGB ? 1 : 65_535])),
      Entry(.exif, 0xA002, .longs([UInt32(truncatingIfNeeded: size.width)])),
      Entry(.exif, 0xA003, .longs([UInt32(truncatingIfNeeded: size.height)])),
    ]
    if metadata[.exif, 0x9000] == nil {
      entries.append(Entry(.exif, 0x9000, .undefined(Array("0232".utf8))))
    }
    if let makerNote {
      entries.removeAll { $0.directory == .exif && $0.tag == 0x927C }
      entries.append(Entry(.exif, 0x927C, .undefined(makerNote)))
    }
    let block = try ExifBlock()
    for entry in entries { try block.add(entry) }
    return try block.bytes()
  }
}

/// One libexif data set.
private final class ExifBlock {
  private let memory: OpaquePointer
  private let data: UnsafeMutablePointer<ExifData>

  init() throws(WriteError) {
    guard let memory = exif_mem_new_default() else { throw Self.outOfMemory }
    guard let data = exif_data_new_mem(memory) else {
      exif_mem_unref(memory)
      throw Self.outOfMemory
    }
    (self.memory, self.data) = (memory, data)
    // Entries stay as they are given.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
  }

  deinit {
    exif_data_unref(data)
    exif_mem_unref(memory)
  }

  private static var outOfMemory: WriteError {
    WriteError(.encoderFailed, "libexif is out of memory; free some and try again")
  }

  func add(_ entry: Entry) throws(WriteError) {
    let (format, unit, bytes) = Self.stored(entry.value)
    guard !bytes.isEmpty, let count = UInt32(exactly: bytes.count) else { return }
    guard let target = exif_entry_new_mem(memory) else { throw Self.outOfMemory }
    defer { exif_entry_unref(target) }
    guard let storage = exif_mem_alloc(memory, count) else { throw Self.outOfMemory }
    UnsafeMutableRawBufferPointer(start: storage, count: bytes.count).copyBytes(from: bytes)
    target.pointee.tag = ExifTag(rawValue: UInt32(entry.tag))
    target.pointee.format = format
    target.pointee.components = UInt(bytes.count / unit)
    target.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
    target.pointee.size = count
    exif_content_add_entry(directory(entry.directory), target)
  }

  func bytes() throws(WriteError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &start, &count)
    guard let start, count > 6 else { throw Self.outOfMemory }
    defer { free(start) }
    // The first six bytes are the marker of a JPEG segment.
    return Array(UnsafeBufferPointer(start: start + 6, count: Int(count) - 6))
  }

  private func directory(
    _ directory: Entry.Directory
  ) -> UnsafeMutablePointer<ExifContent>? {
    switch directory {
    case .image: data.pointee.ifd.0
    case .exif: data.pointee.ifd.2
    case .gps: data.pointee.ifd.3
    }
  }

  /// Type, bytes of one value, and all values little-endian.
  private static func stored(
    _ value: Entry.Value
  ) -> (ExifFormat, unit: Int, [UInt8]) {
    switch value {
    case .bytes(let v): (EXIF_FORMAT_BYTE, 1, v)
    case .ascii(let v): (EXIF_FORMAT_ASCII, 1, Array(v.utf8) + [0])
    case .shorts(let v): (EXIF_FORMAT_SHORT, 2, v.flatMap(littleEndian))
    case .longs(let v): (EXIF_FORMAT_LONG, 4, v.flatMap(littleEndian))
    case .rationals(let v):
      (
        EXIF_FORMAT_RATIONAL, 8,
        v.flatMap { littleEndian($0.numerator) + littleEndian($0.denominator) }
      )
    case .signedRationals(let v):
      (
        EXIF_FORMAT_SRATIONAL, 8,
        v.flatMap { littleEndian($0.numerator) + littleEndian($0.denominator) }
      )
    case .undefined(let v): (EXIF_FORMAT_UNDEFINED, 1, v)
    }
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
