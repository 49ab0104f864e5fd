import Containers
import ImageCore
import RawDecode

/// The tags in which a DNG of merged exposures differs from its reference: BaselineExposure, so
/// that the brightness is equal, RawDataUniqueID of all sources, and the noise of the brightest
/// areas, which NoiseProfile cannot represent, as an XMP property (``BrightNoiseRecord``).
struct DNGMergedTags {
  private let info: RawInfo
  private let sourceInfo: DNGContent.SourceInfo
  private let make: DNGFields

  init(_ info: RawInfo, _ sourceInfo: DNGContent.SourceInfo, _ make: DNGFields) {
    (self.info, self.sourceInfo, self.make) = (info, sourceInfo, make)
  }

  /// `keepsXMP`: the XMP cannot be edited.
  func set(in main: inout DNGDirectory, keepsXMP: Bool) {
    if let stops = sourceInfo.baselineExposure {
      main.set(make.signedRationals(DNGTag.baselineExposure, [stops]))
    }
    main.set(make.bytes(DNGTag.rawDataUniqueID, sourceInfo.digest))
    if keepsXMP { return }
    let own = main.fields.first { $0.tag == TIFFTag.xmp }
    let xmp = BrightNoiseRecord.packet(own?.payload, with: info.brightNoiseProfile)
    main.set(make.bytes(TIFFTag.xmp, xmp))
  }
}
