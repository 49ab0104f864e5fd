internal import CLibRaw
import ImageCore

/// The metadata that LibRaw reads before decoding, copied out of C.
struct LibRawMetadata: Sendable {
  var make: String
  var model: String
  /// The maker and model after LibRaw's normalization, one for the names of all regions.
  var normalizedMake: String
  var normalizedModel: String
  var software: String
  /// Number of raw pictures of this size in the file.
  var frameCount = 1
  /// 0 for files that are not DNGs.
  var dngVersion: Int
  var isFoveon: Bool
  /// The name of LibRaw's decoder for the samples.
  var decoder = ""
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
  /// The part of the stored picture that the camera delivers: first column and row, columns and
  /// rows; empty or 0 if not declared.
  var cameraFrame: [Int] = []
  /// Masked areas known before decoding, eight of top, left, bottom, right; 0 if unused. If the
  /// first has no right edge, the first two are offsets from the left and right border.
  var masks: [[Int]]
  var pixelAspect: Double
  /// dcraw's orientation code.
  var flip: Int
  var cameraGains: [Double]
  var daylightGains: [Double]
  /// XYZ D65 to camera, four rows of three.
  var matrix: [Double]
  /// Whether the data already include the white balance.
  var isBalanced: Bool
  /// Black of all samples, and additions for each of the four filters and for positions.
  var black: Double
  var channelBlack: [Double]
  var blackPattern = BlackPattern()
  /// Black of a compressed Phase One raw, which LibRaw subtracts later; 0 for others.
  var backBlack = 0.0
  /// The declared white level.
  var maximum: Double
  /// Upper end of each channel's linear range, according to the maker; 0 if absent.
  var linearMaxima: [Double]
  /// Whether the sensor has Fujifilm's diagonal layout; known after unpacking.
  var isDiagonal: Bool
  /// Columns and rows after which the filters repeat.
  var filterPeriod: PixelSize
  /// LibRaw's filter index at each position of the period, row by row; see ``filter(row:column:)``.
  var filterIndices: [Int]
  var iso: Double
  var shutter: Double
  var aperture: Double
  var focalLength: Double
  var timestamp: Int
  var description: String
  var artist: String
  var lens: String
  /// Shortest and longest focal length in millimeters, smallest f-number at each; 0 if unknown.
  var lensRange: [Double]
  /// GPS position, if declared.
  var position: Position?

  /// A GPS position.
  struct Position: Sendable {
    /// Degrees, minutes, seconds.
    var latitude: [Double]
    var latitudeReference: String
    /// Degrees, minutes, seconds.
    var longitude: [Double]
    var longitudeReference: String
    /// Meters above sea level.
    var altitude: Double
  }

  /// Black levels that repeat over the visible area.
  struct BlackPattern: Sendable {
    var rows = 0
    var columns = 0
    /// Row by row; empty for none.
    var values: [Double] = []

    /// The black level at `row`, `column`, with the pattern repeated.
    subscript(row: Int, column: Int) -> Double { values[row % rows * columns + column % columns] }
  }

  /// The complete stored picture.
  var storedArea: PixelRect { PixelRect(x: 0, y: 0, width: rawWidth, height: rawHeight) }

  /// The visible part of the stored picture.
  var visibleArea: PixelRect { PixelRect(x: left, y: top, width: width, height: height) }

  /// Whether any black is above 0.
  var declaresBlack: Bool {
    black != 0 || (channelBlack + blackPattern.values).contains { $0 != 0 }
  }

  /// LibRaw's filter index at `row`, `column` of the visible area: 3 is the second green of most
  /// cameras.
  func filter(row: Int, column: Int) -> Int {
    filterIndices[
      row % filterPeriod.height * filterPeriod.width + column % filterPeriod.width]
  }
}

extension LibRawMetadata {
  /// Copies the metadata of the file that LibRaw has opened, or unpacked, as `data`.
  init(_ data: UnsafeMutablePointer<libraw_data_t>) {
    (make, model, software, letters) = unsafe (
      text(data.pointee.idata.make), text(data.pointee.idata.model),
      text(data.pointee.idata.software), Array(text(data.pointee.idata.cdesc))
    )
    (normalizedMake, normalizedModel) = unsafe (
      text(data.pointee.idata.normalized_make), text(data.pointee.idata.normalized_model)
    )
    (dngVersion, isFoveon, colors, filters) = unsafe (
      Int(data.pointee.idata.dng_version), data.pointee.idata.is_foveon != 0,
      Int(data.pointee.idata.colors), Int(data.pointee.idata.filters)
    )
    frameCount = unsafe max(Int(data.pointee.idata.raw_count), 1)
    decoder = unsafe String(cString: clibraw_decoder(data))
    isDiagonal = unsafe data.pointee.rawdata.ioparams.fuji_width != 0
    let sizes = unsafe data.pointee.sizes
    rawWidth = Int(sizes.raw_width)
    rawHeight = Int(sizes.raw_height)
    width = Int(sizes.width)
    height = Int(sizes.height)
    left = Int(sizes.left_margin)
    top = Int(sizes.top_margin)
    cameraFrame = unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4) { frame in
      unsafe clibraw_camera_frame(data, frame.baseAddress)
      return (0..<4).map { unsafe Int(frame[$0]) }
    }
    let edges = elements(sizes.mask, of: Int32.self).map { Int($0) }
    masks = (0..<edges.count / 4).map { Array(edges[4 * $0..<4 * $0 + 4]) }
    pixelAspect = sizes.pixel_aspect
    flip = Int(sizes.flip)
    (cameraGains, daylightGains, matrix) = unsafe (
      floats(data.pointee.color.cam_mul), floats(data.pointee.color.pre_mul),
      floats(data.pointee.color.cam_xyz)
    )
    isBalanced = unsafe clibraw_is_balanced(data) != 0
    // Formats from 3 on are compressed; LibRaw has already subtracted black from their maximum.
    let back = unsafe data.pointee.color.phase_one_data
    backBlack = back.format >= 3 ? Double(max(back.t_black, 0)) : 0
    (black, maximum) = unsafe (
      Double(data.pointee.color.black), Double(data.pointee.color.maximum) + backBlack
    )
    linearMaxima = (0..<4).map { unsafe clibraw_linear_maximum(data, $0) }
    // Four channels, rows, columns, then the pattern.
    func blacks(_ range: Range<Int>) -> [Double] {
      range.map { unsafe Double(clibraw_black(data, UInt32($0))) }
    }
    channelBlack = blacks(0..<4)
    let sides = blacks(4..<6)
    if sides[0] > 0, sides[1] > 0, sides[0] * sides[1] <= 4096 {
      blackPattern = BlackPattern(
        rows: Int(sides[0]), columns: Int(sides[1]),
        values: blacks(6..<6 + Int(sides[0] * sides[1])))
    }
    let (columns, rows) = filters == 1 ? (16, 16) : filters == 9 ? (6, 6) : (2, 8)
    filterPeriod = PixelSize(width: columns, height: rows)
    filterIndices = (0..<columns * rows).map {
      unsafe Int(libraw_COLOR(data, Int32($0 / columns), Int32($0 % columns)))
    }
    let other = unsafe data.pointee.other
    iso = Double(other.iso_speed)
    shutter = Double(other.shutter)
    aperture = Double(other.aperture)
    focalLength = Double(other.focal_len)
    timestamp = other.timestamp
    description = text(other.desc)
    artist = text(other.artist)
    let names = unsafe [text(data.pointee.lens.Lens), text(data.pointee.lens.makernotes.Lens)]
    lens = names.first { !$0.isEmpty } ?? ""
    let (range, maker) = unsafe (data.pointee.lens, data.pointee.lens.makernotes)
    let ranges = [
      [range.MinFocal, range.MaxFocal, range.MaxAp4MinFocal, range.MaxAp4MaxFocal],
      [maker.MinFocal, maker.MaxFocal, maker.MaxAp4MinFocal, maker.MaxAp4MaxFocal],
    ]
    lensRange = (ranges.first { $0[0] > 0 } ?? ranges[1]).map(Double.init)
    let gps = other.parsed_gps
    if gps.gpsparsed != 0 {
      func letter(_ code: CChar) -> String {
        String(UnicodeScalar(UInt8(truncatingIfNeeded: code)))
      }
      position = Position(
        latitude: floats(gps.latitude), latitudeReference: letter(gps.latref),
        longitude: floats(gps.longitude), longitudeReference: letter(gps.longref),
        altitude: gps.altref == 1 ? -Double(gps.altitude) : Double(gps.altitude))
    }
  }
}

/// The text of a C character array, to its first NUL.
private func text<Tuple>(_ tuple: Tuple) -> String {
  String(decoding: elements(tuple, of: UInt8.self).prefix { $0 != 0 }, as: UTF8.self).asName
}
