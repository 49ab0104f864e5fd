import Containers

/// Groups of tags by their treatment when copying a DNG.
extension DNGTag {
  /// Tags about sample storage and DNG version: rewritten for the raw picture. Also RawImageDigest,
  /// which is superseded, JPEG XL encoder parameters, and CacheVersion.
  static let storage: Set<UInt16> = [
    TIFFTag.newSubfileType, TIFFTag.subfileType, TIFFTag.imageWidth, TIFFTag.imageLength,
    TIFFTag.bitsPerSample, TIFFTag.compression, TIFFTag.photometricInterpretation,
    TIFFTag.threshholding, TIFFTag.cellWidth, TIFFTag.cellLength, TIFFTag.fillOrder,
    TIFFTag.stripOffsets, TIFFTag.samplesPerPixel, TIFFTag.rowsPerStrip, TIFFTag.stripByteCounts,
    TIFFTag.planarConfiguration, TIFFTag.predictor, TIFFTag.tileWidth, TIFFTag.tileLength,
    TIFFTag.tileOffsets, TIFFTag.tileByteCounts, TIFFTag.subDirectories, TIFFTag.extraSamples,
    TIFFTag.sampleFormat, TIFFTag.minSampleValue, TIFFTag.maxSampleValue, TIFFTag.jpegTables,
    TIFFTag.jpegProcess, TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength,
    TIFFTag.jpegRestartInterval, TIFFTag.jpegLosslessPredictors, TIFFTag.jpegPointTransforms,
    TIFFTag.jpegQTables, TIFFTag.jpegDCTables, TIFFTag.jpegACTables, TIFFTag.ycbcrCoefficients,
    TIFFTag.ycbcrSubSampling, TIFFTag.ycbcrPositioning, TIFFTag.referenceBlackWhite,
    TIFFTag.exifDirectory, TIFFTag.gpsDirectory, version, backwardVersion, rawImageDigest,
    subTileBlockSize, rowInterleaveFactor, newRawImageDigest, columnInterleaveFactor,
    jxlDistance, jxlEffort, jxlDecodeSpeed, extraCameraProfiles,
  ]

  /// Tags of the raw picture, wherever a file has them; all others belong to IFD 0. If both
  /// directories have one, the raw picture's applies.
  static let ofRawPicture: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV, whiteLevel,
    defaultScale, defaultCropOrigin, defaultCropSize, bayerGreenSplit, chromaBlurRadius,
    antiAliasStrength, bestQualityScale, activeArea, maskedAreas, noiseReductionApplied,
    opcodeList1, opcodeList2, opcodeList3, noiseProfile, defaultUserCrop, profileGainTableMap,
  ]

  /// Tags of a mosaic, which do not apply to the picture interpolated from it.
  static let ofMosaic: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV, whiteLevel, activeArea,
    defaultCropOrigin, defaultCropSize, bayerGreenSplit, antiAliasStrength, maskedAreas,
    opcodeList1, opcodeList2,
  ]

  /// Tags that convert stored samples to linear ones, and the areas they refer to:
  /// LinearizationTable, levels, ActiveArea, MaskedAreas, OpcodeList1.
  static let ofStoredSamples: Set<UInt16> = [
    linearizationTable, blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV,
    whiteLevel, activeArea, maskedAreas, opcodeList1,
  ]

  /// Tags that apply to a single exposure, and not to a merge: BaselineExposure, RawDataUniqueID,
  /// OriginalRawFileData, its digest, NoiseProfile, ImageStats.
  static let ofOneExposure: Set<UInt16> = [
    baselineExposure, rawDataUniqueID, originalRawFileData, originalRawFileDigest, noiseProfile,
    imageStats,
  ]

  /// Tags that do not apply after corrections of lens and noise.
  static let ofCorrections: Set<UInt16> = [opcodeList3, noiseProfile, noiseReductionApplied]
}
