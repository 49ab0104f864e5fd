import Foundation

/// `NAME.reference.json`: what the reference renderer makes of a DNG.
struct ReferenceValues: Decodable {
  /// A rendered picture: means of 8 × 6 cells, row by row from the top left of the upright picture,
  /// and single pixels.
  struct Picture: Decodable {
    struct Pixel: Decodable {
      var x: Int
      var y: Int
      var rgb: [Double]
    }
    var width: Int
    var height: Int
    /// Three values per cell.
    var grid: [[[Double]]]
    var pixels: [Pixel]?
    var steps: [[Double]]?

    enum CodingKeys: String, CodingKey {
      case width, height, grid, pixels
      case steps = "steps_x50_to_x950"
    }
  }

  /// Camera space after the demosaic and OpcodeList3, of the active area, 1.0 = white.
  struct CameraSpace: Decodable {
    struct Pixel: Decodable {
      var x: Int
      var y: Int
      var value: [Double]
    }
    var width: Int
    var height: Int
    var mean: [Double]
    var min: [Double]
    var max: [Double]
    var pixels: [Pixel]?
  }

  /// The linearized mosaic of the active area.
  struct Mosaic: Decodable {
    struct Channel: Decodable {
      var row: Int
      var col: Int
      var mean: Double
      var min: Double
      var max: Double
    }
    struct Pixel: Decodable {
      var row: Int
      var col: Int
      var value: Double
    }
    var width: Int
    var height: Int
    var channels: [Channel]
    var pixels: [Pixel]
  }

  /// Renderings with one of several profiles.
  struct Profile: Decodable {
    var sceneLinear: Picture?

    enum CodingKeys: String, CodingKey { case sceneLinear = "scene_linear BT.2020" }
  }

  var kind: String?
  var notes: [String]?
  var scene: Picture?
  var sceneWithoutMap: Picture?
  var sceneWithoutTables: Picture?
  var cameraSpace: CameraSpace?
  var mosaic: Mosaic?
  var profiles: [String: Profile]?

  enum CodingKeys: String, CodingKey {
    case kind, notes, profiles
    case scene = "linear_bt2020"
    case sceneWithoutMap = "linear_bt2020_without_gain_table_map"
    case sceneWithoutTables = "linear_bt2020_without_huesatmap_and_looktable"
    case cameraSpace = "stage3_camera_space"
    case mosaic = "stage2_mosaic"
  }

  /// The values beside the file at `url`; nil when there are none.
  init?(beside url: URL) throws {
    let json = url.deletingPathExtension().appendingPathExtension("reference.json")
    guard let data = try? Data(contentsOf: json) else { return nil }
    self = try JSONDecoder().decode(ReferenceValues.self, from: data)
  }

  /// Whether the file has a transparency mask, which the reference renders over white.
  var hasTransparency: Bool { notes?.contains { $0.contains("transparency mask") } ?? false }
  var isMosaic: Bool { kind == "CFA" }
  /// Whether decoders may differ in single pixels, as the notes say of lossy streams.
  var isLossy: Bool { notes?.contains { $0.contains("single pixels may differ") } ?? false }
}
