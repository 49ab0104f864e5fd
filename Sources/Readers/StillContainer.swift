import HDRRender
import ImageCore

/// An opened file: its metadata, and its pixels on demand. One type for each format; adding one
/// takes a type, a case of ``StillKind`` with its signature, and a line in
/// ``StillImage/container(of:_:_:)``.
protocol StillContainer: Sendable {
  /// All that is known without decoding pixels.
  var info: StillInfo { get }
  /// The samples of the primary picture.
  func picture() throws(ReadError) -> DecodedSamples
  /// The same, reduced where that saves decoding time, while the longer side is at least `minSide`.
  func picture(minSide: Int) throws(ReadError) -> DecodedSamples
  /// The samples of the gain map, oriented like those of the primary picture; called when `info`
  /// declares one.
  func gainMap() throws(ReadError) -> GainMapImage
  /// The samples of the gain map as coded, neither rotated nor cropped.
  func codedGainMap() throws(ReadError) -> GainMapImage
  /// All gain map parameters in the file.
  func gainMapParameters() -> GainMapParameters
  /// Columns and rows of the primary picture as coded, neither rotated nor cropped.
  var codedSize: PixelSize { get }
}

extension StillContainer {
  /// Of kinds of files that are always decoded in full.
  func picture(minSide: Int) throws(ReadError) -> DecodedSamples { try picture() }
  /// Of kinds of files whose gain maps are not read.
  func gainMap() throws(ReadError) -> GainMapImage {
    throw ReadError(.unsupported, "no gain map is read from this kind of file")
  }
  func codedGainMap() throws(ReadError) -> GainMapImage { try gainMap() }
  func gainMapParameters() -> GainMapParameters { GainMapParameters() }
  var codedSize: PixelSize { info.storedSize }
}

/// The properties of the primary picture of a file.
struct StillInfo: Sendable {
  /// Columns and rows as ``StillContainer/picture()`` gives them.
  var storedSize: PixelSize
  /// Orientation of those rows; `.up` where the decoder applies it.
  var orientation: Orientation = .up
  /// Bits of a sample as stored.
  var bitDepth: Int
  /// Whether they are floats.
  var isFloat = false
  /// 1 gray, 3 or 4 CMYK.
  var channels: Int
  var color: ColorDescription
  var hdrMetadata = HDRMetadata()
  /// Exif entries and XMP.
  var metadata = CaptureMetadata()
  /// MakerApple 33 and 48.
  var maker: AppleGainMap.MakerValues?
  var gainMap: GainMapDescription?
  /// Sizes of thumbnails and other smaller versions of the picture.
  var thumbnails: [PixelSize] = []
  /// How a picture that is not opaque is shown, with its note.
  enum Alpha: String {
    /// On white.
    case straight = "what is transparent is shown on white"
    /// On black: premultiplied colors, which may be nonzero where alpha is 0, as renderers write
    /// flames and glass.
    case premultiplied = "what is transparent is shown on black"

    /// Premultiplied integers are divided by alpha when decoded.
    init(isPremultiplied: Bool, isFloat: Bool) {
      self = isPremultiplied && isFloat ? .premultiplied : .straight
    }
  }

  /// nil for an opaque picture. Setting it adds its note.
  var alpha: Alpha? { didSet { notes += [alpha?.rawValue].compactMap(\.self) } }

  /// The note on a file whose last part is missing.
  static let cutNote = "the file is truncated; it is read as far as it goes; copy it again"

  /// The note on a picture of which only the first rows are read.
  static func partNote(rows: Int, of size: PixelSize) -> String {
    "its pixels are damaged; \(rows) of \(size.height) rows are read"
  }

  /// The note on a picture that is read without some of its parts, in words.
  static func partsNote(_ count: Int, of all: Int, _ parts: String) -> String {
    "its pixels are damaged; it is read without \(count) of \(all) \(parts)"
  }

  /// What was ignored because it is damaged or not supported, one line each.
  var notes: [String] = []
  /// The notes that concern the gain map.
  private(set) var gainMapNotes: [String] = []

  /// Adds notes about its gain map.
  mutating func add(gainMapNotes more: [String]) {
    notes += more
    gainMapNotes += more
  }
}
