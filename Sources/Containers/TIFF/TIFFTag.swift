/// Numbers of tags and of their values (TIFF 6.0; Adobe's technical notes; libtiff for Zstandard).
package enum TIFFTag {
  package static let newSubfileType: UInt16 = 254
  package static let imageWidth: UInt16 = 256
  package static let imageLength: UInt16 = 257
  package static let bitsPerSample: UInt16 = 258
  package static let compression: UInt16 = 259
  package static let photometricInterpretation: UInt16 = 262
  package static let fillOrder: UInt16 = 266
  package static let stripOffsets: UInt16 = 273
  package static let orientation: UInt16 = 274
  package static let samplesPerPixel: UInt16 = 277
  package static let rowsPerStrip: UInt16 = 278
  package static let stripByteCounts: UInt16 = 279
  package static let xResolution: UInt16 = 282
  package static let yResolution: UInt16 = 283
  package static let planarConfiguration: UInt16 = 284
  package static let resolutionUnit: UInt16 = 296
  package static let software: UInt16 = 305
  package static let predictor: UInt16 = 317
  package static let tileWidth: UInt16 = 322
  package static let tileLength: UInt16 = 323
  package static let tileOffsets: UInt16 = 324
  package static let tileByteCounts: UInt16 = 325
  package static let subDirectories: UInt16 = 330
  package static let inkSet: UInt16 = 332
  package static let extraSamples: UInt16 = 338
  package static let sampleFormat: UInt16 = 339
  package static let jpegTables: UInt16 = 347
  package static let xmp: UInt16 = 700
  /// Stars, 0…5, and the same in percent: Microsoft's tags.
  package static let rating: UInt16 = 0x4746
  package static let ratingPercent: UInt16 = 0x4749
  /// Datasets of IPTC-IIM.
  package static let iptc: UInt16 = 33723
  /// Photoshop's image resources.
  package static let photoshop: UInt16 = 34377
  package static let exifDirectory: UInt16 = 34665
  package static let iccProfile: UInt16 = 34675
  package static let gpsDirectory: UInt16 = 34853
  /// In the first directory of every DNG.
  package static let dngVersion: UInt16 = 50706
  package static let interoperabilityDirectory: UInt16 = 40965
  /// A C2PA manifest.
  package static let credentials: UInt16 = 52545
  /// Focal lengths and f-numbers of a DNG's lens.
  package static let lensInfo: UInt16 = 50736

  /// Values of ``compression``.
  package enum Compression {
    package static let none = 1
    package static let lzw = 5
    package static let jpeg = 7
    /// zlib streams.
    package static let deflate = 8
    /// The same under its first number.
    package static let oldDeflate = 32946
    package static let jbig = 34661
    package static let zstandard = 50000
  }

  /// Values of ``predictor``.
  package enum Predictor {
    package static let horizontal = 2
    package static let floatingPoint = 3
  }
}
