package import ImageCore

/// The fixed limits of what reads files of pictures: Containers, Codecs and Readers.
package enum FormatLimits {
  /// Times the bytes of the file.
  package static let reuse = 4
  package static let blockBytes = 64 << 20
  package static let textBytes = 16 << 20
  package static let settingsBytes = 8 << 20
  package static let makerNoteBytes = 4 << 20
  package static let makerNoteOffset = 1 << 16
  package static let directories = 128
  package static let jpegTableBytes = 1 << 16
  package static let indexedPictures = 64
  package static let trailingPictures = 8
  package static let codestreamParts = 65_536
  package static let jpegXLGainMapBytes = 256 << 20
  package static let namespaces = 256
  package static let namespaceBytes = 1024
  package static let packetGrowth = 4
  package static let profileTags = 100
  package static let profileElements = 16
  package static let profileChannels = 6
  package static let profileTableInputs = 4
  package static let profileSegments = 1024
  package static let profileSamples = 1 << 20
  package static let itemProperties = 0x7FFF
  package static let itemAssociations = 240
  package static let itemProfiles = 4
  package static let unreadableItems = 8
  package static let mediaBoxes = 64
  package static let toneMaps = 256
  package static let codedFrames = 4
  package static let codedUnits = 1 << 16
  package static let parameterSets = 64
  package static let exrHeaderBytes = 1 << 20
  package static let radianceHeaderBytes = 1 << 16

  /// The table.
  package static let rows = [
    FixedLimit(
      reuse,
      "times the file that parts which share its bytes may take together: items and tiles of HEIF, "
        + "segments of JPEGs behind the first, strips and tiles of TIFF, of which the pixels count "
        + "where they are more"),
    FixedLimit(
      bytes: blockBytes,
      "an Exif block, an ICC profile, an XMP packet, a table of HEIF; a file of a look or of a "
        + "camera profile"),
    FixedLimit(
      bytes: textBytes, "a text or profile of PNG or JPEG XL, unpacked"),
    FixedLimit(
      bytes: settingsBytes,
      "an XMP packet with settings; those with painted masks have some hundred KiB"),
    FixedLimit(bytes: makerNoteBytes, "a maker note; longer ones are left out"),
    FixedLimit(
      bytes: makerNoteOffset,
      "how far from its block's start a maker note may lie, to which the block is padded"),
    FixedLimit(
      directories,
      "directories of a TIFF that are looked at: no reader takes one behind them"),
    FixedLimit(
      bytes: jpegTableBytes,
      "tables that the JPEG strips or tiles of a TIFF share; quantization and Huffman tables take "
        + "a tenth"),
    FixedLimit(indexedPictures, "pictures of a JPEG's multi-picture index that are looked at"),
    FixedLimit(trailingPictures, "other pictures behind a JPEG that are looked at"),
    FixedLimit(codestreamParts, "parts of a JPEG XL codestream, and of a frame, as libjxl takes"),
    FixedLimit(bytes: jpegXLGainMapBytes, "the gain map of a JPEG XL"),
    FixedLimit(namespaces, "namespaces of XMP in scope, and descriptions that are taken along"),
    FixedLimit(bytes: namespaceBytes, "a namespace of XMP, which is part of every name in it"),
    FixedLimit(
      packetGrowth,
      "times an XMP packet that the properties taken from it may be long, and 64 KiB: declarations "
        + "around them go along with each"),
    FixedLimit(profileTags, "tags of an ICC profile, as many as lcms2 takes"),
    FixedLimit(profileElements, "elements of a tag of an ICC profile; real ones have up to seven"),
    FixedLimit(
      profileChannels, "channels into or out of such an element; profiles of RGB have three"),
    FixedLimit(profileTableInputs, "channels into a table of it, which has 2ⁿ nodes for n"),
    FixedLimit(profileSegments, "segments of its curves; drawn ones have some dozens"),
    FixedLimit(profileSamples, "samples of these segments, as many as 16 bits for 16 curves"),
    FixedLimit(itemProperties, "properties of HEIF, which are numbered in 15 bits"),
    FixedLimit(
      itemAssociations,
      "properties of one item of a HEIF that is edited: their number is a byte, and an edit adds "
        + "some"),
    FixedLimit(itemProfiles, "ICC profiles of an item of HEIF that are tried"),
    FixedLimit(unreadableItems, "items of HEIF that are tried for Exif or XMP"),
    FixedLimit(mediaBoxes, "media boxes of a HEIF that is edited"),
    FixedLimit(toneMaps, "gain maps of a HEIF that is edited"),
    FixedLimit(
      codedFrames, "frames of a coded picture: a hidden one and another that shows it, or layers"),
    FixedLimit(
      codedUnits,
      "units of a coded picture: it has 4096 tiles at most in AV1, 600 slices in HEVC"),
    FixedLimit(parameterSets, "parameter sets of HEVC of one kind"),
    FixedLimit(bytes: exrHeaderBytes, "the header of an OpenEXR"),
    FixedLimit(bytes: radianceHeaderBytes, "the header of a Radiance"),
  ]
}
