import Containers
import ImageCore
public import RawDecode

/// Auxiliary pictures under CIRAWFilter's names: nil if the file has none. Reading a property
/// decodes nothing; `image()` decodes the pixels, which are aligned with `outputImage()` before
/// crop, rotation and perspective.
extension RAWFilter {
  /// All semantic mattes, in the file's order.
  public var semanticMattes: [SemanticMatte] {
    picture.file.auxiliary.filter { $0.use == .semanticMatte }
      .map { SemanticMatte($0, picture: auxiliary($0)) }
  }

  /// The people in a portrait.
  public var portraitEffectsMatte: SemanticMatte? { matte(.portraitEffects) }
  /// Skin.
  public var semanticSegmentationSkinMatte: SemanticMatte? { matte(.skin) }
  /// Hair.
  public var semanticSegmentationHairMatte: SemanticMatte? { matte(.hair) }
  /// Teeth.
  public var semanticSegmentationTeethMatte: SemanticMatte? { matte(.teeth) }
  /// Glasses.
  public var semanticSegmentationGlassesMatte: SemanticMatte? { matte(.glasses) }
  /// Sky.
  public var semanticSegmentationSkyMatte: SemanticMatte? { matte(.sky) }

  /// The distance of each pixel.
  public var depthMap: DepthMap? {
    guard let entry = picture.file.auxiliary(.depth), let main = picture.file.tiff?.first else {
      return nil
    }
    return DepthMap(main, picture: auxiliary(entry))
  }

  /// Opacity of each pixel: 1 opaque, 0 transparent.
  public var transparencyMask: AuxiliaryPicture? {
    picture.file.auxiliary(.transparency).map(auxiliary)
  }

  private func matte(_ kind: SemanticMatte.Kind) -> SemanticMatte? {
    semanticMattes.first { $0.kind == kind }
  }

  private func auxiliary(_ entry: AuxiliaryEntry) -> AuxiliaryPicture {
    AuxiliaryPicture(entry, in: picture.file, orientation: effectiveOrientation)
  }
}

extension RAWFilter {
  /// The other contents of the file; decodes nothing.
  public var contents: RAWContents { RAWContents(picture.file) }

  /// The camera profiles as stored, the main one first.
  package var storedProfiles: [StoredProfile] { picture.file.storedProfiles }
  /// The gain table maps of the raw picture and of the main profile, as stored, the effective one
  /// first.
  package var storedGainTableMaps: [StoredGainTableMap] { picture.file.storedGainTableMaps }
  /// The camera's name in profiles.
  package var cameraName: String { picture.file.info.cameraName }
}
