/// Which properties of a source's packet describe a finished picture that is made of it.
///
/// Properties that describe the picture or the capture stay: ratings, labels, keywords, rights,
/// IPTC, locations, dates, the camera, and unknown ones. These are removed, by namespace or name:
///
/// - how the raw is to be developed (Camera Raw, darktable and others): applied already, and other
///   programs would apply it again;
/// - the history, the IDs and the versions of the source, which do not apply to the new file;
/// - other pictures, films and depths in the source's file, gain maps among them;
/// - size, storage, orientation, thumbnail and checksums of the source.
///
/// Sources: Adobe, XMP specification part 2 and "XMP namespaces" (developer.adobe.com/xmp);
/// Android's Ultra HDR and Motion Photo formats; files of Apple's, Adobe's and Nikon's programs.
package enum FinishedProperties {
  private static let developing = [
    XMPNamespace.cameraRaw.uri, XMPNamespace.darktable.uri,
    "http://ns.adobe.com/camera-raw-saved-settings/", "http://ns.adobe.com/camera-raw-defaults/",
    "http://ns.adobe.com/camera-raw-embedded-lens-profile/",
    "http://ns.apple.com/adjustment-settings/", "http://ns.nikon.com/asteroid/",
    "http://ns.nikon.com/nine/",
  ]
  private static let ofOtherPictures = [
    "http://ns.google.com/photos/1.0/audio/", "http://ns.google.com/photos/1.0/camera/",
    "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/depthmap/",
    "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/dd/",
    "http://ns.adobe.com/hdr-gain-map/", "http://ns.adobe.com/hdr-metadata/",
    "http://ns.apple.com/HDRGainMap/", "http://ns.apple.com/HDRToneMap/",
    "http://ns.apple.com/pixeldatainfo/",
  ]
  private static let ofTheSource = [
    XMPNamespace.media.uri, XMPNamespace.note.uri, XMPNamespace.rawdev.uri,
    "http://ns.adobe.com/xap/1.0/bj/", "http://ns.adobe.com/xap/1.0/t/pg/",
  ]
  private static let dropped: [XMPNamespace: Set<String>] = [
    .dublinCore: ["format"],
    .basic: ["CreatorTool", "MetadataDate", "Thumbnails", "PageInfo"],
    .photoshop: [
      "ColorMode", "DocumentAncestors", "EmbeddedXMPDigest", "History", "ICCProfile",
      "LegacyIPTCDigest", "SidecarForExtension", "TextLayers",
    ],
    .tiff: [
      "BitsPerSample", "Compression", "HasXMP", "ImageLength", "ImageWidth", "NativeDigest",
      "Orientation", "PhotometricInterpretation", "PlanarConfiguration", "PrimaryChromaticities",
      "ReferenceBlackWhite", "ResolutionUnit", "SamplesPerPixel", "Software", "TransferFunction",
      "WhitePoint", "XResolution", "YCbCrCoefficients", "YCbCrPositioning", "YCbCrSubSampling",
      "YResolution",
    ],
    .exif: [
      "ColorSpace", "ComponentsConfiguration", "CompressedBitsPerPixel", "ExifVersion",
      "FlashpixVersion", "MakerNote", "NativeDigest", "PixelXDimension", "PixelYDimension",
    ],
    .exifEx: ["Gamma", "InteroperabilityIndex"],
  ]
  /// Of the namespaces above, what describes the picture all the same.
  private static let preserved: Set<XMPName> = [XMPName(.media, "PreservedFileName")]

  /// Namespaces that match by how they begin, since they carry a version or the name of a part.
  private static let prefixes = developing + ofOtherPictures + ofTheSource
  private static let names = Set(
    dropped.flatMap { namespace, names in names.map { XMPName(namespace, $0) } })

  /// Whether `name` is passed on to a finished picture.
  package static func contains(_ name: XMPName) -> Bool {
    preserved.contains(name)
      || !names.contains(name) && !prefixes.contains(where: name.namespace.begins)
  }

  /// Whether `name` is passed on from a sidecar: only what people write, since the rest repeats
  /// the raw.
  package static func isOfSidecars(_ name: XMPName) -> Bool {
    let copies = [XMPNamespace.tiff, .exif, .exifEx, .auxiliary]
    return isDocumentID(name)
      || contains(name)
        && (!copies.contains(where: name.isIn) || name.name.begins(with: "GPS"))
  }

  /// Whether `name` is an ID of the source, to which the written file refers.
  package static func isDocumentID(_ name: XMPName) -> Bool {
    [.documentID, .instanceID, .originalDocumentID].contains(name)
  }

  /// Whether `name` says who made a picture and who may do what with it.
  package static func isOfRights(_ name: XMPName) -> Bool {
    let namespaces = [XMPNamespace.rights, .plus]
    let single: [XMPName] = [
      .rights, .creator, XMPName(.photoshop, "Credit"), XMPName(.photoshop, "Source"),
      XMPName(.photoshop, "AuthorsPosition"), XMPName(.iptcCore, "CreatorContactInfo"),
    ]
    return namespaces.contains(where: name.isIn) || single.contains(name)
  }

  /// Whether `name` cannot name a location: rights, rating and label.
  package static func isWithoutLocations(_ name: XMPName) -> Bool {
    isOfRights(name) || name == .rating || name == .label
  }

  /// Whether `name` holds positions within the picture: regions of faces, the part of a panorama.
  package static func isOfPositions(_ name: XMPName) -> Bool {
    [
      XMPNamespace.regions.uri, "http://ns.microsoft.com/photo/1.2/",
      "http://ns.apple.com/faceinfo/", "http://ns.google.com/photos/1.0/panorama/",
    ].contains(where: name.namespace.begins)
  }
}
