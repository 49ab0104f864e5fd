import Containers
import ImageCore
import RawDecode

/// What a DNG of merged exposures says otherwise than its reference: BaselineExposure, so that it
/// is as bright, RawDataUniqueID of all of them, and the noise of the brightest places, for which
/// NoiseProfile has no room, as a property in XMP (``BrightNoiseRecord``).
struct DNGMergedTags {
  private let info: RawInfo
  private let facts: DNGContent.Facts
  private let make: DNGFields

  init(_ info: RawInfo, _ facts: DNGContent.Facts, _ make: DNGFields) {
    (self.info, self.facts, self.make) = (info, facts, make)
  }

  /// `keepsXMP`: for XMP that cannot be edited.
  func set(in main: inout DNGDirectory, keepsXMP: Bool) {
    if let stops = facts.baselineExposure {
      main.set(make.signedRationals(DNGTag.baselineExposure, [stops]))
    }
    main.set(make.bytes(DNGTag.rawDataUniqueID, facts.digest))
    if keepsXMP { return }
    let own = main.fields.first { $0.tag == TIFFTag.xmp }
    let xmp = BrightNoiseRecord.packet(own?.payload, with: info.brightNoiseProfile)
    main.set(make.bytes(TIFFTag.xmp, xmp))
  }
}
