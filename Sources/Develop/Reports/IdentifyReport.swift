import Foundation
import HDRRender
public import ImageCore
public import Readers

/// Format, dynamic range and color of a finished picture: the result of `rawdev identify`. Pixels
/// are not decoded, except those of a gain map, to detect damage, and floats, whose brightness is
/// not declared.
public struct IdentifyReport: Sendable, Codable {
  /// Path of the file.
  public var file: String
  /// Its container.
  public var kind: StillKind
  /// How HDR is stored: `pq`, `hlg`, `gain-map`, `float`; nil for SDR.
  public var highRange: String?
  /// Columns and rows, upright.
  public var size: [Int]
  /// Bits of a sample.
  public var bitDepth: Int
  /// Number of channels: 1 for gray, 3 for color.
  public var channels: Int
  /// Exif orientation of the stored picture.
  public var orientation: Int
  /// Its colors.
  public var color: Color
  /// Whether the primary picture itself is HDR.
  public var isHighDynamicRange: Bool
  /// Headroom of the file, a ratio to reference white.
  public var contentHeadroom: Double
  /// Rules of ISO 22028-5 that the primary picture fails; none for ISO HDR.
  public var failedISOHDRRules: [ISOHDRRule]
  /// The gain map; nil for none.
  public var gainMap: GainMap?
  /// HDR metadata.
  public var light: Light
  /// MakerApple 33 and 48.
  public var makerApple: [Double]?
  /// Sizes of the thumbnails.
  public var thumbnails: [[Int]]
  /// Make and model of the camera.
  public var camera: String?
  /// Notes for people on unusual properties.
  public var notes: [String]

  /// How code values are converted to colors.
  public struct Color: Sendable, Codable {
    /// Name of the profile or of the code points.
    public var name: String
    /// Where the description was found.
    public var origin: ColorDescription.Origin
    /// Primaries, transfer and matrix of H.273.
    public var codePoints: [Int]?
    /// Bytes of the ICC profile.
    public var profileBytes: Int?
  }

  /// A gain map.
  public struct GainMap: Sendable, Codable {
    /// The formats in which its parameters are stored.
    public var forms: [GainMapFormat]
    /// Columns and rows.
    public var size: [Int]
    /// 1 for luminance, 3 for one of each color.
    public var channels: Int
    /// Bits of a sample.
    public var bitDepth: Int
    /// The headroom with the map, a ratio to reference white.
    public var headroom: Double
    /// Whether the base is the HDR rendition.
    public var isBaseHDR: Bool
    /// ISO parameters: log2 of the minimum gain of each channel.
    public var minimumStops: [Double]?
    /// ISO parameters: log2 of the maximum gain of each channel.
    public var maximumStops: [Double]?
    /// ISO parameters: gamma of each channel.
    public var gamma: [Double]?
  }

  /// HDR metadata; luminances in cd/m².
  public struct Light: Sendable, Codable {
    /// MaxCLL.
    public var maximumContentNits: Double?
    /// MaxFALL.
    public var averageContentNits: Double?
    /// Peak luminance of the mastering display.
    public var masteringPeakNits: Double?
    /// Black level of the mastering display.
    public var masteringBlackNits: Double?
    /// Illuminance of the viewing environment, lux.
    public var ambientLux: Double?
    /// Luminance of diffuse white.
    public var diffuseWhiteNits: Double?
    /// Bytes of the gains for displays that show less (HAGC, SMPTE ST 2094-50).
    public var adaptiveGainCurveBytes: Int?
  }

  /// Reads the file at `path`.
  public init(path: String, limits: DecodeLimits = DecodeLimits()) throws(DevelopError) {
    let image: StillImage
    do {
      image = try StillImage(
        contentsOf: URL(fileURLWithPath: path), limits: limits, policy: .show)
    } catch { throw DevelopError(error, path: path) }
    self.init(image, path: path)
    if image.isFloat, image.gainMap == nil {
      do {
        let picture = try image.picture()
        contentHeadroom = picture.contentHeadroom
        notes = image.notes(and: picture.notes)
      } catch {
        notes.append("its luminance cannot be measured: \(error.message)")
      }
      if contentHeadroom > 1.005, highRange == nil { highRange = "float" }
    }
    if let damage = image.gainMapDamage() { notes.append(damage) }
  }

  /// Of an opened picture.
  init(_ image: StillImage, path: String) {
    file = path
    kind = image.kind
    size = [image.size.width, image.size.height]
    bitDepth = image.bitDepth
    channels = image.channels
    orientation = image.orientation.rawValue
    color = Color(
      name: image.color.name, origin: image.color.origin,
      codePoints: image.color.codePoints?.map(Int.init),
      profileBytes: image.color.profile?.count)
    isHighDynamicRange = image.isHighDynamicRange
    contentHeadroom = image.contentHeadroom
    failedISOHDRRules = image.failedISOHDRRules
    highRange =
      switch image.color.transfer {
      case .pq: "pq"
      case .hlg: "hlg"
      default: image.gainMap == nil ? nil : "gain-map"
      }
    gainMap = image.gainMap.map(GainMap.init)
    let metadata = image.hdrMetadata
    light = Light(
      maximumContentNits: metadata.contentLight?.maximumNits,
      averageContentNits: metadata.contentLight?.averageNits,
      masteringPeakNits: metadata.masteringDisplay?.maximumNits,
      masteringBlackNits: metadata.masteringDisplay?.minimumNits, ambientLux: metadata.ambient?.lux,
      diffuseWhiteNits: metadata.diffuseWhiteNits,
      adaptiveGainCurveBytes: image.adaptiveGainCurve?.count)
    makerApple = image.makerApple.map { [$0.headroom33, $0.gain48] }
    thumbnails = image.thumbnails.map { [$0.width, $0.height] }
    camera = image.metadata.camera
    notes = image.notes
  }

  /// Conformance to ISO 22028-5; other pictures than PQ and HLG get only the statement that they
  /// are neither.
  private var isoText: String {
    if failedISOHDRRules.isEmpty { return "yes" }
    let isOther = failedISOHDRRules.contains(.transferFunction)
    let rules = isOther ? [ISOHDRRule.transferFunction] : failedISOHDRRules
    return "no: " + rules.map(\.failure).joined(separator: "; ")
  }

  /// The report as names and values for people.
  public var lines: [(name: String, value: String)] {
    func sides(_ size: [Int]) -> String { size.map(String.init).joined(separator: "x") }
    func number(_ value: Double) -> String { String(format: "%.4g", value) }
    let isAssumed = isHighDynamicRange && gainMap == nil && light.maximumContentNits == nil
    var lines = [
      ("kind", kind.rawValue),
      ("range", highRange ?? "standard"),
      (
        "size",
        "\(sides(size)), \(bitDepth) bits, "
          + (channels == 1 ? "gray" : channels == 4 ? "CMYK" : "color")
      ),
      (
        "color",
        color.origin == .assumed ? color.name : "\(color.name) (\(color.origin.rawValue))"
      ),
      ("headroom", HeadroomText.long(contentHeadroom) + (isAssumed ? ", assumed" : "")),
      ("ISO HDR", isoText),
    ]
    if let map = gainMap {
      let forms = map.forms.map(\.rawValue).joined(separator: ", ")
      lines.append(
        (
          "gain map",
          "\(forms), \(sides(map.size)), \(map.channels == 1 ? "gray" : "color"), "
            + "opens \(number(map.headroom))x"
        ))
    }
    if let peak = light.maximumContentNits, let average = light.averageContentNits {
      lines.append(("content light", "\(number(peak)) / \(number(average)) cd/m2"))
    }
    if let peak = light.masteringPeakNits, let black = light.masteringBlackNits {
      lines.append(("mastering display", "\(number(black)) to \(number(peak)) cd/m2"))
    }
    if let lux = light.ambientLux { lines.append(("ambient", "\(number(lux)) lux")) }
    if let nits = light.diffuseWhiteNits {
      lines.append(("diffuse white", "\(number(nits)) cd/m2"))
    }
    if let bytes = light.adaptiveGainCurveBytes {
      lines.append(("adaptive gains", "HAGC (SMPTE ST 2094-50), \(bytes) bytes"))
    }
    if let camera { lines.append(("camera", camera)) }
    if !thumbnails.isEmpty {
      lines.append(("thumbnails", thumbnails.map(sides).joined(separator: ", ")))
    }
    return lines + notes.map { ("note", $0) }
  }
}

extension IdentifyReport.GainMap {
  init(_ map: GainMapDescription) {
    (forms, channels, bitDepth) = (map.formats, map.channels, map.bitDepth)
    size = [map.size.width, map.size.height]
    headroom = map.headroom
    guard case .iso(let metadata) = map.formula else {
      isBaseHDR = false
      return
    }
    isBaseHDR = metadata.isBaseHDR
    minimumStops = metadata.channels.map(\.minimumStops)
    maximumStops = metadata.channels.map(\.maximumStops)
    gamma = metadata.channels.map(\.gamma)
  }
}
