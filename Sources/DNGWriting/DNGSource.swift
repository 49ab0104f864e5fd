import Containers
import ImageCore
import RawDecode

/// The parts that are copied from a source DNG: all entries except storage, and all pictures other
/// than the raw one, without recompression.
struct DNGSource {
  private let tiff: TIFFFile
  private let raw: TIFFDirectory

  init(_ tiff: TIFFFile, _ tags: DNGTags) {
    self.tiff = tiff
    // The tags were read from this directory.
    raw = DNGTags.rawDirectory(in: tiff) ?? tiff.first
  }

  private var isRawFirst: Bool { raw.role == .main(0) }

  /// Copies the entries of IFD 0 and of the raw picture's directory.
  func copyEntries(to main: inout DNGDirectory, picture: inout DNGDirectory) {
    for entry in raw.entries.values.sorted(by: { $0.tag < $1.tag }) where Self.isCopied(entry) {
      if isRawFirst, !DNGTag.ofRawPicture.contains(entry.tag) {
        main.add(TIFFField(copying: entry))
      } else {
        picture.add(TIFFField(copying: entry))
      }
    }
    guard !isRawFirst else { return }
    for entry in tiff.first.entries.values.sorted(by: { $0.tag < $1.tag })
    where Self.isCopied(entry) {
      main.add(TIFFField(copying: entry))
    }
  }

  /// Drops a non-numeric WhiteLevel: white is then the maximum of the source's bit depth. The copy
  /// has more bits, so white is stated.
  private static func isCopied(_ entry: TIFFEntry) -> Bool {
    entry.count > 0 && !DNGTag.storage.contains(entry.tag)
      && (entry.tag != DNGTag.whiteLevel || entry.numbers != nil)
  }

  /// Copies the picture of IFD 0, if it is a preview.
  func copyPreview(to main: inout DNGDirectory, notes: inout [String]) {
    guard !isRawFirst, let preview = Self.copy(tiff.first, all: false) else { return }
    main.fields += preview.fields
    (main.isTiled, main.chunks) = (preview.isTiled, preview.chunks)
  }

  /// All other directories with pictures; previews only if `withPreviews`.
  func otherPictures(withPreviews: Bool, notes: inout [String]) -> [DNGDirectory] {
    var copies: [DNGDirectory] = []
    var bytes = 0
    for directory in tiff.directories {
      guard directory.role != .exif, directory.role != .gps, directory.role != .main(0),
        directory.role != raw.role
          || directory[TIFFTag.imageWidth]?.position != raw[TIFFTag.imageWidth]?.position
      else { continue }
      let isPreview = [1, 0x10001].contains(directory[TIFFTag.newSubfileType]?.integer ?? 0)
      guard withPreviews || !isPreview else { continue }
      if let copy = Self.copy(directory, all: true) ?? pointedPreview(directory) {
        bytes += copy.byteCount
        guard bytes <= tiff.file.count else {
          notes.append("pictures with shared bytes were dropped")
          break
        }
        copies.append(copy)
      } else {
        notes.append("a picture with an unsupported storage layout was dropped")
      }
    }
    return copies
  }

  /// The JPEG referenced by a directory (JPEGInterchangeFormat), as a directory in DNG form.
  private func pointedPreview(_ directory: TIFFDirectory) -> DNGDirectory? {
    guard let offset = directory[TIFFTag.jpegInterchangeFormat]?.integer,
      let count = directory[TIFFTag.jpegInterchangeFormatLength]?.integer,
      let jpeg = tiff.file.bytes(tiff.base + offset, count)
    else { return nil }
    return DNGContent.preview(jpeg, DNGFields(bigEndian: tiff.bigEndian))
  }

  /// The entries of a picture, all or only those about storage, and its byte ranges; nil if these
  /// are missing.
  private static func copy(_ directory: TIFFDirectory, all: Bool) -> DNGDirectory? {
    let isTiled = directory[TIFFTag.tileWidth] != nil
    guard let storage = RawStorage(directory), !storage.chunks.isEmpty else { return nil }
    let file = directory[TIFFTag.imageWidth]?.file
    guard let file, storage.chunks.allSatisfy({ file.holds($0.offset, $0.bytes) }) else {
      return nil
    }
    let pointers: Set<UInt16> = [
      TIFFTag.stripOffsets, TIFFTag.stripByteCounts, TIFFTag.tileOffsets, TIFFTag.tileByteCounts,
      TIFFTag.subDirectories, TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength,
      TIFFTag.exifDirectory, TIFFTag.gpsDirectory, DNGTag.version, DNGTag.backwardVersion,
    ]
    let fields = directory.entries.values.filter { entry in
      entry.count > 0 && !pointers.contains(entry.tag)
        && (all || DNGTag.storage.contains(entry.tag) && entry.tag != DNGTag.newRawImageDigest)
        && entry.tag != DNGTag.extraCameraProfiles
    }
    return DNGDirectory(
      fields: fields.sorted { $0.tag < $1.tag }.map { TIFFField(copying: $0) }, isTiled: isTiled,
      chunks: .source(storage.chunks))
  }
}

/// Copies the camera profiles of a DNG (ExtraCameraProfiles, DNG 1.7.1, chapter 6): separate
/// structures that may be anywhere in the file.
enum DNGProfileCopy {
  static func profiles(in tiff: TIFFFile, notes: inout [String]) -> [[UInt8]] {
    var profiles: [[UInt8]] = []
    let offsets = tiff.first[DNGTag.extraCameraProfiles]?.integers ?? []
    for offset in offsets.prefix(StoredProfile.maxProfiles) {
      guard
        let profile = try? TIFFFile(
          tiff.file, base: tiff.base + offset, magics: TIFFFile.profileMagics)
      else {
        notes.append("an unreadable camera profile was dropped")
        continue
      }
      let fields = profile.first.entries.values.filter { $0.count > 0 }
        .sorted { $0.tag < $1.tag }.map { TIFFField(copying: $0) }
      profiles.append(
        Array((profile.bigEndian ? "MM" : "II").utf8)
          + profile.magic.bytes(bigEndian: profile.bigEndian)
          + UInt32(8).bytes(bigEndian: profile.bigEndian)
          + TIFFDirectoryWriter(bigEndian: profile.bigEndian).bytes(fields, at: 8))
    }
    return profiles
  }
}
