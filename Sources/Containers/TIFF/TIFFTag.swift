/// Numbers of tags and of their values (TIFF 6.0; Adobe's technical notes; libtiff for Zstandard).
/// ``DNGTag`` has those of DNG.
package enum TIFFTag {
  package static let newSubfileType: UInt16 = 254
  package static let subfileType: UInt16 = 255
  package static let imageWidth: UInt16 = 256
  package static let imageLength: UInt16 = 257
  package static let bitsPerSample: UInt16 = 258
  package static let compression: UInt16 = 259
  package static let photometricInterpretation: UInt16 = 262
  package static let threshholding: UInt16 = 263
  package static let cellWidth: UInt16 = 264
  package static let cellLength: UInt16 = 265
  package static let fillOrder: UInt16 = 266
  package static let make: UInt16 = 271
  package static let model: UInt16 = 272
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
  package static let minSampleValue: UInt16 = 340
  package static let maxSampleValue: UInt16 = 341
  package static let jpegTables: UInt16 = 347
  /// Old-style JPEG, of TIFF 6.0 section 22.
  package static let jpegProcess: UInt16 = 512
  package static let jpegInterchangeFormat: UInt16 = 513
  package static let jpegInterchangeFormatLength: UInt16 = 514
  package static let jpegRestartInterval: UInt16 = 515
  package static let jpegLosslessPredictors: UInt16 = 517
  package static let jpegPointTransforms: UInt16 = 518
  package static let jpegQTables: UInt16 = 519
  package static let jpegDCTables: UInt16 = 520
  package static let jpegACTables: UInt16 = 521
  package static let ycbcrCoefficients: UInt16 = 529
  package static let ycbcrSubSampling: UInt16 = 530
  package static let ycbcrPositioning: UInt16 = 531
  package static let referenceBlackWhite: UInt16 = 532
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
  /// Exif's, in the maker's own form.
  package static let makerNote: UInt16 = 37500
  package static let interoperabilityDirectory: UInt16 = 40965
  /// A C2PA manifest.
  package static let credentials: UInt16 = 52545
  /// Focal lengths and f-numbers of a DNG's lens.
  package static let lensInfo: UInt16 = 50736

  /// The tags for where tiles or strips lie, and how many bytes each of them has.
  package static func chunks(isTiled: Bool) -> (offsets: UInt16, byteCounts: UInt16) {
    isTiled ? (tileOffsets, tileByteCounts) : (stripOffsets, stripByteCounts)
  }

  /// Values of ``compression``.
  package enum Compression {
    package static let none = 1
    package static let lzw = 5
    /// JPEG of TIFF 6.0, which JPEG of Adobe's technical note 2 replaces.
    package static let oldJPEG = 6
    package static let jpeg = 7
    /// zlib streams.
    package static let deflate = 8
    package static let vc5 = 9
    /// Sony's ARW 6.
    package static let sonyARW6 = 32766
    /// Sony's lossy compressed ARW.
    package static let sonyARW = 32767
    /// PackBits, and in SRWs Samsung's blocks.
    package static let packBits = 32773
    /// The same under its first number.
    package static let oldDeflate = 32946
    package static let jbig = 34661
    /// Nikon's NEF, in any of its codings.
    package static let nikonNEF = 34713
    /// 8-bit baseline JPEG of DNG 1.4.
    package static let lossyJPEG = 34892
    package static let zstandard = 50000
    /// Of DNG 1.7.
    package static let jpegXL = 52546
  }

  /// Values of ``photometricInterpretation``.
  package enum Photometric {
    package static let rgb = 2
    package static let ycbcr = 6
    package static let colorFilterArray = 32803
    /// DNG's: demosaiced samples, linear.
    package static let linearRaw = 34892
    package static let depth = 51177
    package static let photometricMask = 52527
  }

  /// Values of ``predictor``.
  package enum Predictor {
    package static let none = 1
    package static let horizontal = 2
    package static let floatingPoint = 3
    /// DNG's, whose differences are to the pixel two or four columns before.
    package static let horizontalX2 = 34892
    package static let horizontalX4 = 34893
    package static let floatingPointX2 = 34894
    package static let floatingPointX4 = 34895
  }
}
