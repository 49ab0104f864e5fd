import Containers

/// What becomes of the tags of another DNG.
extension DNGTag {
  /// Tags that say how samples are stored, where, and in which version of DNG: written anew for the
  /// raw picture. Also RawImageDigest, which is superseded, what JPEG XL was coded by, and
  /// CacheVersion.
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

  /// Tags of the raw picture, wherever a file has them; all others are of IFD 0. Of what both
  /// have, that of the raw picture counts.
  static let ofRawPicture: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV, whiteLevel,
    defaultScale, defaultCropOrigin, defaultCropSize, bayerGreenSplit, chromaBlurRadius,
    antiAliasStrength, bestQualityScale, activeArea, maskedAreas, noiseReductionApplied,
    opcodeList1, opcodeList2, opcodeList3, noiseProfile, defaultUserCrop, profileGainTableMap,
  ]

  /// Those of a mosaic, which are not true of the picture interpolated from it.
  static let ofMosaic: Set<UInt16> = [
    cfaRepeatPatternDim, cfaPattern, cfaPlaneColor, cfaLayout, linearizationTable,
    blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV, whiteLevel, activeArea,
    defaultCropOrigin, defaultCropSize, bayerGreenSplit, antiAliasStrength, maskedAreas,
    opcodeList1, opcodeList2,
  ]

  /// Those that lead from stored samples to linear ones, and the areas that they count from:
  /// LinearizationTable, levels, ActiveArea, MaskedAreas, OpcodeList1.
  static let ofStoredSamples: Set<UInt16> = [
    linearizationTable, blackLevelRepeatDim, blackLevel, blackLevelDeltaH, blackLevelDeltaV,
    whiteLevel, activeArea, maskedAreas, opcodeList1,
  ]

  /// Those that are true of one exposure alone, and not of several that were merged:
  /// BaselineExposure, RawDataUniqueID, OriginalRawFileData, its digest, NoiseProfile, ImageStats.
  static let ofOneExposure: Set<UInt16> = [
    baselineExposure, rawDataUniqueID, originalRawFileData, originalRawFileDigest, noiseProfile,
    imageStats,
  ]

  /// Those of what is corrected in a scene.
  static let ofCorrections: Set<UInt16> = [opcodeList3, noiseProfile, noiseReductionApplied]
}
