import Containers

/// Numbers of tags (DNG 1.7.1, chapters 3 to 7) and what becomes of those of another DNG.
enum DNGTag {
  static let cfaRepeatPatternDim: UInt16 = 33421
  static let cfaPattern: UInt16 = 33422
  static let version = TIFFTag.dngVersion
  static let backwardVersion: UInt16 = 50707
  static let uniqueCameraModel: UInt16 = 50708
  static let cfaPlaneColor: UInt16 = 50710
  static let cfaLayout: UInt16 = 50711
  static let linearizationTable: UInt16 = 50712
  static let blackLevelRepeatDim: UInt16 = 50713
  static let blackLevel: UInt16 = 50714
  static let whiteLevel: UInt16 = 50717
  static let defaultScale: UInt16 = 50718
  static let defaultCropOrigin: UInt16 = 50719
  static let defaultCropSize: UInt16 = 50720
  static let colorMatrix1: UInt16 = 50721
  static let colorMatrix2: UInt16 = 50722
  static let analogBalance: UInt16 = 50727
  static let asShotNeutral: UInt16 = 50728
  static let baselineExposure: UInt16 = 50730
  static let privateData: UInt16 = 50740
  static let makerNoteSafety: UInt16 = 50741
  static let calibrationIlluminant1: UInt16 = 50778
  static let calibrationIlluminant2: UInt16 = 50779
  static let rawDataUniqueID: UInt16 = 50781
  static let originalRawFileName: UInt16 = 50827
  static let activeArea: UInt16 = 50829
  static let maskedAreas: UInt16 = 50830
  static let extraCameraProfiles: UInt16 = 50933
  static let forwardMatrix1: UInt16 = 50964
  static let forwardMatrix2: UInt16 = 50965
  static let opcodeList3: UInt16 = 51022
  static let newRawImageDigest: UInt16 = 51111
  static let rowInterleaveFactor: UInt16 = 50975
  static let columnInterleaveFactor: UInt16 = 52547
  static let jxlDistance: UInt16 = 52553
  static let jxlEffort: UInt16 = 52554
  static let jxlDecodeSpeed: UInt16 = 52555
  static let noiseProfile: UInt16 = 51041
  static let noiseReductionApplied: UInt16 = 50935
  static let makerNote: UInt16 = 37500
  static let interoperability: UInt16 = 40965

  /// Tags that say how samples are stored, where, and in which version of DNG: written anew for the
  /// raw picture. Also RawImageDigest, which is superseded, what JPEG XL was coded by, and
  /// CacheVersion.
  static let storage: Set<UInt16> = [
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 277, 278, 279, 284, 317, 322, 323,
    324, 325, 330, 338, 339, 340, 341, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530,
    531, 532, 34665, 34853, version, backwardVersion, 50972, 50974, rowInterleaveFactor,
    newRawImageDigest, columnInterleaveFactor, jxlDistance, jxlEffort, jxlDecodeSpeed,
    extraCameraProfiles,
  ]

  /// Tags of the raw picture, wherever a file has them; all others are of IFD 0. Of what both
  /// have, that of the raw picture counts.
  static let ofRawPicture: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, 50715, 50716, whiteLevel, defaultScale, defaultCropOrigin,
    defaultCropSize, 50733, 50737, 50738, 50780, activeArea, maskedAreas, noiseReductionApplied,
    51008, 51009, opcodeList3, noiseProfile, 51125, 52525,
  ]

  /// Those of a mosaic, which are not true of the picture interpolated from it.
  static let ofMosaic: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, 50715, 50716, whiteLevel, activeArea, defaultCropOrigin,
    defaultCropSize, 50733, 50738, maskedAreas, 51008, 51009,
  ]

  /// Those that lead from stored samples to linear ones, and the areas that they count from:
  /// LinearizationTable, levels, ActiveArea, MaskedAreas, OpcodeList1.
  static let ofStoredSamples: Set<UInt16> = [
    linearizationTable, blackLevelRepeatDim, blackLevel, 50715, 50716, whiteLevel, activeArea,
    50830, 51008,
  ]

  /// Those that are true of one exposure alone, and not of several that were merged:
  /// BaselineExposure, RawDataUniqueID, OriginalRawFileData, its digest, NoiseProfile, ImageStats.
  static let ofOneExposure: Set<UInt16> = [
    baselineExposure, rawDataUniqueID, 50828, 50973, noiseProfile, 52550,
  ]

  /// Those of what is corrected in a scene.
  static let ofCorrections: Set<UInt16> = [opcodeList3, noiseProfile, noiseReductionApplied]

  /// Values of Compression.
  static let compressions: (jpeg: Int, deflate: Int, jpegXL: Int) = (7, 8, 52546)

  /// Photometric interpretations.
  static let (filterArray, linearRaw) = (32803, 34892)
}
