import Codecs
import Containers
public import ImageCore

/// A JPEG preview inside a raw file, made by the camera or converter: display-referred. In a DNG it
/// is stored unrotated like the raw, whose ``RAWFilter/orientation`` applies; its JPEG does not
/// declare the orientation. In a ProRAW it has the full size.
public struct EmbeddedPreview: Sendable {
  /// The JPEG file.
  public let jpeg: [UInt8]
  /// Its columns and rows.
  public let size: PixelSize
  /// Whether rawdev rendered it from the raw, so that it does not show the camera's rendering.
  package let isOwn: Bool
  /// Whether a DNG declares it as Adobe RGB; nil if undeclared.
  let isAdobeRGB: Bool?
  /// Decoding limits of the raw.
  private let limits: DecodeLimits

  /// The preview in `jpeg`, decoded within `limits`; nil if it is not a JPEG.
  package init?(_ jpeg: [UInt8], limits: DecodeLimits = DecodeLimits()) {
    guard let decoder = TurboJPEG(),
      let header = unsafe jpeg.withUnsafeBytes({ unsafe decoder.header($0) })
    else { return nil }
    self.jpeg = jpeg
    self.limits = limits
    size = header.size
    (isOwn, isAdobeRGB) = (false, nil)
  }

  /// The largest preview of a DNG or CR2: a JPEG in one strip or tile of a preview's directory
  /// (NewSubFileType 1 or 0x10001) or of IFD 0, or in a directory's JPEGInterchangeFormat, complete
  /// within `file`. Nil if there is none. If directories share bytes, JPEGs beyond a total of
  /// ``TIFFFile/mostBytes(of:)`` are ignored.
  init?(in tiff: TIFFFile, _ file: FileBytes) {
    guard let decoder = TurboJPEG() else { return nil }
    var best: (jpeg: ByteView, size: PixelSize, directory: TIFFDirectory)?
    // Determining a size may scan the complete JPEG, for each directory that names it.
    var left = TIFFFile.mostBytes(of: file)
    for directory in tiff.directories {
      for chunk in Self.chunks(of: directory) {
        guard let data = file.view(chunk.offset, chunk.bytes), data.isJPEG,
          data.count <= left
        else { continue }
        left -= data.count
        // Requires a header within the data, which bounds the walk over segments.
        guard let header = unsafe decoder.header(data.buffer),
          header.size.area > best?.size.area ?? 0,
          let segments = JPEGSegments(file, at: chunk.offset), segments.excess == nil,
          (try? LosslessJPEGHeader(data, extended: false)) == nil
        else { continue }
        best = (data, header.size, directory)
      }
    }
    guard let best else { return nil }
    jpeg = best.jpeg.bytes(0..<best.jpeg.count)
    size = best.size
    // rawdev marks the previews that it renders with its name.
    isOwn =
      best.directory[DNGTag.previewApplicationName]?.text?.isSame(as: RawdevVersion.name) ?? false
    isAdobeRGB = best.directory[DNGTag.previewColorSpace]?.integer.flatMap {
      [2: false, 3: true][$0]
    }
    limits = file.limits
  }

  /// The JPEG files of `directory`, if it contains a preview.
  private static func chunks(of directory: TIFFDirectory) -> [(offset: Int, bytes: Int)] {
    var chunks: [(offset: Int, bytes: Int)] = []
    if let offset = directory[TIFFTag.jpegInterchangeFormat]?.integer,
      let bytes = directory[TIFFTag.jpegInterchangeFormatLength]?.integer
    {
      chunks.append((offset, bytes))
    }
    // Panasonic's RW2 stores it as a value of the first directory.
    if directory.role == .main(0), let jpeg = directory[0x2E], jpeg.type == 7 {
      chunks.append((jpeg.offset, jpeg.count))
    }
    let isPreview =
      directory.role == .main(0)
      || [1, 0x10001].contains(directory[TIFFTag.newSubfileType]?.integer ?? 0)
    // Streams with tables in the directory (347) are not JPEG files.
    if isPreview, directory[TIFFTag.jpegTables] == nil, let storage = RawStorage(directory),
      // A CR2 does not declare the colors of the JPEG in its IFD 0, whose compression is 6.
      storage.compression == TIFFTag.Compression.oldJPEG
        || storage.compression == TIFFTag.Compression.jpeg
          && [1, 2, 6].contains(storage.photometric),
      storage.bitsPerSample == 8, storage.chunks.count == 1
    {
      chunks.append(storage.chunks[0])
    }
    return chunks
  }

  /// The pixels, three bytes each, at the largest of TurboJPEG's scales (eighths) whose longer side
  /// is at most `maxSide`; nil if the JPEG is damaged, has over 200 million pixels, exceeds the
  /// limits of the raw, or has more scans than its length explains.
  public func decode(maxSide: Int) -> (size: PixelSize, rgb: [UInt8])? {
    guard size.area <= min(200_000_000, limits.maxPixels), let decoder = TurboJPEG() else {
      return nil
    }
    let scaled = decoder.scaled(size, maxSide: maxSide)
    guard isAffordable(at: scaled) else { return nil }
    var rgb = [UInt8](repeating: 0, count: scaled.area * 3)
    let isSound = unsafe jpeg.withUnsafeBytes {
      unsafe decoder.decode($0, size: scaled, components: 3, into: &rgb)
    }
    return isSound ? (scaled, rgb) : nil
  }

  /// Whether decoding at `scaled` stays within the memory limits, and its work within what its
  /// length explains.
  private func isAffordable(at scaled: PixelSize) -> Bool {
    guard let file = try? FileBytes(jpeg, limits: limits), let segments = JPEGSegments(file),
      segments.excess == nil, let frame = segments.frame, let scan = segments.scan,
      frame.size == size
    else { return false }
    return scaled.area * 3 + segments.coefficientBytes(of: frame) <= limits.maxDecodeBytes
      && !segments.endsEarly(frame, scan) && !segments.hasTooManyScans(for: frame)
  }
}
