package import ImageCore

/// Exif (CIPA DC-008), the XMP packet and IPTC's datasets of a TIFF structure, without what
/// describes that file's own storage.
extension CaptureMetadata {
  /// Tags of IFD 0 that describe the capture; all others describe how the file is stored.
  private static let imageTags: Set<UInt16> = [
    0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298, 0x9C9B, 0x9C9C,
    0x9C9D, 0x9C9E, 0x9C9F,
  ]
  /// Tags of the Exif directory that describe the file itself: maker note, component layout,
  /// compression, FlashPix version, color space, pixel sizes, interoperability, padding.
  private static let storageTags: Set<UInt16> = [
    AppleMakerNote.tag, 0x9101, 0x9102, 0xA000, 0xA001, 0xA002, 0xA003, 0xA005, 0xEA1C, 0xEA1D,
  ]

  /// The capture entries of `tiff` and its XMP packet.
  package init(_ tiff: TIFFFile) {
    self.init()
    add(tiff.first, as: .image)
    if let exif = tiff.directory(.exif) {
      add(exif, as: .exif)
      makerNote = exif[AppleMakerNote.tag].flatMap { MakerNote($0, in: tiff) }
    }
    if let gps = tiff.directory(.gps) { add(gps, as: .gps) }
    if self[.exif, 0xA432] == nil, let info = tiff.first[TIFFTag.lensInfo], info.count == 4 {
      self[.exif, 0xA432] = info.type == 5 ? info.exifValue : nil
    }
    if let packet = tiff.first[TIFFTag.xmp]?.bytes, !packet.isEmpty { xmp = packet }
    if let datasets = tiff.first[TIFFTag.iptc]?.bytes, !datasets.isEmpty {
      iptc = datasets
    } else if let resources = tiff.first[TIFFTag.photoshop]?.bytes {
      iptc = PhotoshopResources.iptc(in: resources)
    }
  }

  /// The entries of `source` that belong into `directory`.
  package mutating func add(_ source: TIFFDirectory, as directory: ExifEntry.Directory) {
    var values: [ExifEntry] = []
    for (tag, entry) in source.entries where entry.count > 0 {
      let isWanted =
        switch directory {
        case .image: Self.imageTags.contains(tag)
        case .exif: !Self.storageTags.contains(tag)
        case .gps: tag < 0x20
        }
      // Of a JPEG a block of Exif fits into 64 KiB, of other files none is as long as this.
      if isWanted, entry.count < 1 << 20, let value = entry.exifValue {
        let isTurned = entry.bigEndian && directory == .exif && tag == ExifEntry.userComment
        values.append(ExifEntry(directory, tag, isTurned ? value.withUnicodeTurned : value))
      }
    }
    set(values)
  }
}
