import CLibRaw

/// What LibRaw reads of a file before decoding, copied out of C.
struct LibRawFacts {
  var make: String
  var model: String
  var software: String
  /// 0 for files that are no DNG.
  var dngVersion: Int
  var isFoveon: Bool
  var colors: Int
  /// LibRaw's filter code: 0 none, 9 X-Trans, 1 Leaf, else 2 × 8.
  var filters: Int
  /// Letters of the channels, such as `RGBG`.
  var letters: [Character]
  var rawWidth: Int
  var rawHeight: Int
  var width: Int
  var height: Int
  var left: Int
  var top: Int
  /// Masked areas as known before decoding, eight of top, left, bottom, right; 0 when not used.
  /// Where the first has no right edge, the first two are offsets from the left and right border.
  var masks: [[Int]]
  var pixelAspect: Double
  /// dcraw's orientation code.
  var flip: Int
  var cameraGains: [Double]
  var daylightGains: [Double]
  /// XYZ D65 to camera, four rows of three.
  var matrix: [Double]
  /// Whether the data already carry the white balance.
  var isBalanced: Bool
  var iso: Double
  var shutter: Double
  var aperture: Double
  var focalLength: Double
  var timestamp: Int
  var description: String
  var artist: String
  var lens: String
  /// Where the picture was taken, if the file declares it.
  var position: Position?

  /// A position as GPS gives it.
  struct Position {
    /// Degrees, minutes, seconds.
    var latitude: [Double]
    var latitudeReference: String
    /// Degrees, minutes, seconds.
    var longitude: [Double]
    var longitudeReference: String
    /// Metres above the sea.
    var altitude: Double
  }

  init(_ handle: LibRawHandle) {
    let d = handle.data
    make = text(d.pointee.idata.make)
    model = text(d.pointee.idata.model)
    software = text(d.pointee.idata.software)
    dngVersion = Int(d.pointee.idata.dng_version)
    isFoveon = d.pointee.idata.is_foveon != 0
    colors = Int(d.pointee.idata.colors)
    filters = Int(d.pointee.idata.filters)
    letters = Array(text(d.pointee.idata.cdesc))
    rawWidth = Int(d.pointee.sizes.raw_width)
    rawHeight = Int(d.pointee.sizes.raw_height)
    width = Int(d.pointee.sizes.width)
    height = Int(d.pointee.sizes.height)
    left = Int(d.pointee.sizes.left_margin)
    top = Int(d.pointee.sizes.top_margin)
    let edges = elements(d.pointee.sizes.mask, of: Int32.self).map { Int($0) }
    masks = (0..<edges.count / 4).map { Array(edges[4 * $0..<4 * $0 + 4]) }
    pixelAspect = d.pointee.sizes.pixel_aspect
    flip = Int(d.pointee.sizes.flip)
    cameraGains = elements(d.pointee.color.cam_mul, of: Float.self).map(Double.init)
    daylightGains = elements(d.pointee.color.pre_mul, of: Float.self).map(Double.init)
    matrix = elements(d.pointee.color.cam_xyz, of: Float.self).map(Double.init)
    isBalanced = d.pointee.color.as_shot_wb_applied & 1 != 0
    iso = Double(d.pointee.other.iso_speed)
    shutter = Double(d.pointee.other.shutter)
    aperture = Double(d.pointee.other.aperture)
    focalLength = Double(d.pointee.other.focal_len)
    timestamp = d.pointee.other.timestamp
    description = text(d.pointee.other.desc)
    artist = text(d.pointee.other.artist)
    let names = [text(d.pointee.lens.Lens), text(d.pointee.lens.makernotes.Lens)]
    lens = names.first { !$0.isEmpty } ?? ""
    let gps = d.pointee.other.parsed_gps
    if gps.gpsparsed != 0 {
      func letter(_ code: CChar) -> String { String(UnicodeScalar(UInt8(bitPattern: code))) }
      position = Position(
        latitude: elements(gps.latitude, of: Float.self).map(Double.init),
        latitudeReference: letter(gps.latref),
        longitude: elements(gps.longitude, of: Float.self).map(Double.init),
        longitudeReference: letter(gps.longref),
        altitude: gps.altref == 1 ? -Double(gps.altitude) : Double(gps.altitude))
    }
  }
}

/// The elements of a C array, which Swift sees as a tuple.
package func elements<Tuple, Element: BitwiseCopyable>(_ tuple: Tuple, of: Element.Type)
  -> [Element]
{
  withUnsafeBytes(of: tuple) { bytes in
    (0..<bytes.count / MemoryLayout<Element>.stride).map {
      bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: Element.self)
    }
  }
}

/// The text of a C character array, to its first NUL.
private func text<Tuple>(_ tuple: Tuple) -> String {
  String(decoding: elements(tuple, of: UInt8.self).prefix { $0 != 0 }, as: UTF8.self)
}
