import HDRRender
import ImageCore

/// One opened container: what it says, and its pixels on demand. One type for each kind of file;
/// adding a kind is one type and one line in ``StillImage/container(of:_:)``.
protocol StillContainer: Sendable {
  /// Everything that is known without decoding pixels.
  var facts: StillFacts { get }
  /// The primary picture's codes.
  func picture() throws(ReadError) -> DecodedSamples
  /// The gain map's codes, standing as the primary picture is stored; called when `facts` have one.
  func gainMap() throws(ReadError) -> GainMapImage
  /// The gain map's codes as they are coded, neither turned nor cropped.
  func codedGainMap() throws(ReadError) -> GainMapImage
  /// All that the file says of its gain map.
  func gainMapStatements() -> GainMapStatements
  /// Columns and rows of the primary picture as it is coded, neither turned nor cropped.
  var codedSize: PixelSize { get }
}

extension StillContainer {
  func codedGainMap() throws(ReadError) -> GainMapImage { try gainMap() }
  func gainMapStatements() -> GainMapStatements { GainMapStatements() }
  var codedSize: PixelSize { facts.storedSize }
}

/// What a container says of its primary picture.
struct StillFacts: Sendable {
  /// Columns and rows as ``StillContainer/picture()`` gives them.
  var storedSize: PixelSize
  /// How those rows stand; `.up` where the decoder has already turned them.
  var orientation: Orientation = .up
  /// Bits of a sample as stored.
  var bitDepth: Int
  /// 1 gray or 3.
  var channels: Int
  var color: ColorDescription
  var light = HDRMetadata()
  /// Exif entries and XMP.
  var metadata = CaptureMetadata()
  /// MakerApple 33 and 48.
  var maker: AppleGainMap.MakerValues?
  var gainMap: GainMapDescription?
  /// Sizes of thumbnails and other smaller versions of the picture.
  var thumbnails: [PixelSize] = []
  /// What was left out because it is damaged or not supported, one line each.
  var notes: [String] = []
}
