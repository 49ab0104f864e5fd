package import Containers
package import ImageCore

/// The small picture in sRGB that DNGs hold without compression, often beside previews in JPEG XL:
/// in IFD 0, 8 bits a channel. Unrotated like the raw, whose orientation applies.
///
/// Source: DNG 1.7.1, chapter 3, "NewSubFileType", and PreviewColorSpace.
package struct StoredThumbnail: PixelSource {
  package typealias State = DisplayReferred

  package let size: PixelSize
  package let info = DisplayReferred.Info(primaries: .srgb, headroom: 1)
  private let samples: RawSamples

  /// A larger one is no thumbnail, pixels.
  private static let largest = 1 << 20
  /// The linear value of each code.
  private static let linear = (0...255).map { Float(SRGB.linear(signal: Double($0) / 255)) }

  /// Of a DNG; nil where it has none, or not all of it.
  package init?(in tiff: TIFFFile, _ file: FileBytes) {
    let directory = tiff.first
    guard directory[TIFFTag.newSubfileType]?.integer == 1, let storage = RawStorage(directory),
      storage.compression == TIFFTag.Compression.none, storage.photometric == 2,
      storage.bitsPerSample == 8, storage.hasEqualBits, storage.samplesPerPixel == 3,
      storage.isContiguous, !storage.isFloat, storage.size.area <= Self.largest,
      // Unknown, or sRGB.
      [0, 2].contains(directory[DNGTag.previewColorSpace]?.integer ?? 0),
      let samples = try? StoredPicture(
        storage: storage, bigEndian: tiff.bigEndian, area: PixelRect(storage.size)
      ).decode(file, workers: 1), !file.isLost
    else { return nil }
    (size, self.samples) = (storage.size, samples)
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      let codes = unsafe samples.counts(row: rect.y + y) + 3 * rect.x
      for plane in 0..<3 {
        let row = rows[plane]
        for x in 0..<rect.width {
          row[x] = Self.linear[min(Int(unsafe codes[3 * x + plane]), 255)]
        }
      }
    }
  }
}

extension RawFile {
  /// The uncompressed thumbnail of a DNG; nil without one.
  package var storedThumbnail: StoredThumbnail? {
    guard info.isDNG, let tiff else { return nil }
    return StoredThumbnail(in: tiff, bytes)
  }
}
