import Foundation
import HDRRender
import ImageCore
public import Readers

/// What kind of picture a file is: the result of `rawdev identify`. Pixels are not decoded.
public struct IdentifyReport: Sendable, Codable {
  /// The file.
  public var file: String
  /// Its container.
  public var kind: StillKind
  /// How its high range is stored: `pq`, `hlg`, `gain-map`; nil for standard range.
  public var highRange: String?
  /// Columns and rows, upright.
  public var size: [Int]
  /// Bits of a sample.
  public var bitDepth: Int
  /// 1 gray, 3 colors.
  public var channels: Int
  /// How the stored rows stand, as Exif numbers it.
  public var orientation: Int
  /// Its colors.
  public var color: Color
  /// Whether the primary picture itself is of high range.
  public var isHighDynamicRange: Bool
  /// Brightest light that the file holds, a ratio to reference white.
  public var contentHeadroom: Double
  /// Rules of ISO 22028-5 that the primary picture fails; none for ISO HDR.
  public var failedISOHDRRules: [ISOHDRRule]
  /// The gain map.
  public var gainMap: GainMap?
  /// What the file says of its light.
  public var light: Light
  /// MakerApple 33 and 48.
  public var makerApple: [Double]?
  /// Sizes of smaller versions.
  public var thumbnails: [[Int]]
  /// Camera.
  public var camera: String?
  /// What is odd but no failure.
  public var notes: [String]

  /// How codes become color.
  public struct Color: Sendable, Codable {
    /// Name of profile or code points.
    public var name: String
    /// Where it was found.
    public var origin: ColorDescription.Origin
    /// Primaries, transfer and matrix of H.273.
    public var codePoints: [Int]?
    /// Bytes of the ICC profile.
    public var profileBytes: Int?
  }

  /// A gain map.
  public struct GainMap: Sendable, Codable {
    /// The forms in which its parameters are stored.
    public var forms: [GainMapDescription.Form]
    /// Columns and rows.
    public var size: [Int]
    /// 1, or 3 colors.
    public var channels: Int
    /// Bits of a sample.
    public var bitDepth: Int
    /// The headroom that it opens, a ratio to reference white.
    public var headroom: Double
    /// Whether the base is the picture of the higher range.
    public var isBaseHDR: Bool
    /// ISO parameters: log2 of the least and the largest gain of each channel.
    public var minimumStops: [Double]?
    /// See `minimumStops`.
    public var maximumStops: [Double]?
    /// Exponents of the map's codes.
    public var gamma: [Double]?
  }

  /// Light levels in cd/m².
  public struct Light: Sendable, Codable {
    /// MaxCLL.
    public var maximumContentNits: Double?
    /// MaxFALL.
    public var averageContentNits: Double?
    /// Peak of the mastering display.
    public var masteringPeakNits: Double?
    /// Black of the mastering display.
    public var masteringBlackNits: Double?
    /// Illuminance around the display, lux.
    public var ambientLux: Double?
    /// Diffuse white.
    public var diffuseWhiteNits: Double?
  }

  /// Reads what the file at `path` says.
  public init(path: String) throws(DevelopError) {
    let image: StillImage
    do {
      image = try StillImage(contentsOf: URL(fileURLWithPath: path))
    } catch { throw DevelopError(error, path: path) }
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
    let stated = image.light
    light = Light(
      maximumContentNits: stated.contentLight?.maximumNits,
      averageContentNits: stated.contentLight?.averageNits,
      masteringPeakNits: stated.masteringDisplay?.maximumNits,
      masteringBlackNits: stated.masteringDisplay?.minimumNits, ambientLux: stated.ambient?.lux,
      diffuseWhiteNits: stated.diffuseWhiteNits)
    makerApple = image.makerApple.map { [$0.headroom33, $0.gain48] }
    thumbnails = image.thumbnails.map { [$0.width, $0.height] }
    let names = [image.metadata.make, image.metadata.model].compactMap(\.self)
    camera = names.isEmpty ? nil : names.joined(separator: " ")
    notes = image.notes
  }

  /// The report as names and values for people.
  public var lines: [(name: String, value: String)] {
    func sides(_ size: [Int]) -> String { size.map(String.init).joined(separator: "x") }
    func number(_ value: Double) -> String { String(format: "%.4g", value) }
    var lines = [
      ("kind", kind.rawValue),
      ("range", highRange ?? "standard"),
      ("size", "\(sides(size)), \(bitDepth) bits, \(channels == 1 ? "gray" : "color")"),
      ("color", "\(color.name) (\(color.origin.rawValue))"),
      ("headroom", "\(number(contentHeadroom)) (\(number(log2(contentHeadroom))) stops)"),
      (
        "ISO HDR",
        failedISOHDRRules.isEmpty
          ? "yes"
          : "no: not so that " + failedISOHDRRules.map(\.requirement).joined(separator: "; ")
      ),
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
    if let camera { lines.append(("camera", camera)) }
    if !thumbnails.isEmpty {
      lines.append(("thumbnails", thumbnails.map(sides).joined(separator: ", ")))
    }
    return lines + notes.map { ("note", $0) }
  }
}

extension IdentifyReport.GainMap {
  init(_ map: GainMapDescription) {
    (forms, channels, bitDepth) = (map.forms, map.channels, map.bitDepth)
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
