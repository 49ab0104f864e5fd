import Foundation
public import ImageCore
public import RawFilter

/// The metadata and contents of a raw: the result of `rawdev info`.
public struct InfoReport: Sendable, Codable {
  /// Path of the file.
  public var file: String
  /// Sensor, levels and colors; nil without pixels.
  public var sensor: RAWInspection?
  /// The origin of the colors.
  public var colorOrigin: FactOrigin
  /// The origin of the crop.
  public var cropOrigin: FactOrigin
  /// The name of the camera.
  public var camera: String
  /// Make of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Name of the lens.
  public var lens: String?
  /// The profile of the lens database in use; nil where the file has corrections of its own, or the
  /// database has no profile.
  public var lensProfile: LensProfileInfo?
  /// Version and date of the lens database; nil without one.
  public var lensDatabase: String?
  /// Time of exposure, `YYYY:MM:DD HH:MM:SS`.
  public var date: String?
  /// Exposure time in seconds.
  public var exposureTime: Double?
  /// f-number.
  public var aperture: Double?
  /// ISO speed.
  public var iso: Int?
  /// Focal length in millimeters.
  public var focalLength: Double?
  /// Latitude in degrees, north positive.
  public var latitude: Double?
  /// Longitude in degrees, east positive.
  public var longitude: Double?
  /// Columns before orientation.
  public var nativeWidth: Int
  /// Rows before orientation.
  public var nativeHeight: Int
  /// How many frames the file stores; one of them is developed, and of four that are shifted one
  /// picture can be merged.
  public var frameCount: Int
  /// Exif orientation.
  public var orientation: Int
  /// As-shot white: correlated color temperature in kelvin.
  public var neutralTemperature: Float?
  /// As-shot white: tint, magenta positive.
  public var neutralTint: Float?
  /// As-shot white: CIE x and y.
  public var neutralChromaticity: [Double]?
  /// Baseline exposure in stops; nil without pixels.
  public var baselineExposure: Float?
  /// Underexposure that the camera's meter reading hides; nil where the file does not record it.
  public var hiddenUnderexposure: HiddenUnderexposure?
  /// Columns and rows of the largest embedded preview.
  public var preview: [Int]?
  /// Adjustments that have an effect on this file.
  public var supported: [String]
  /// Every adjustment with its default on this file; nil without pixels.
  public var adjustments: [RAWAdjustment]?
  /// Supported decoder versions, oldest first.
  public var decoderVersions: [String]
  /// How the samples of a DNG's raw picture are stored.
  public var storage: RAWContents.Storage?
  /// DNGVersion.
  public var dngVersion: String?
  /// DNGBackwardVersion.
  public var dngBackwardVersion: String?
  /// Names of the opcodes of lists 1, 2 and 3.
  public var opcodes: [[String]]
  /// The profile gain table map.
  public var gainTableMap: RAWContents.GainTableMap?
  /// The camera profiles, the main one first.
  public var profiles: [CameraProfileInfo]
  /// Semantic mattes.
  public var mattes: [Matte]
  /// The transparency mask.
  public var transparencyMask: Matte?
  /// The depth map.
  public var depth: Depth?
  /// Bytes of the XMP packet; 0 for none.
  public var xmpBytes: Int
  /// Why the pixels could not be decoded; nil where they were, or were not to be.
  public var pixelsError: String?
  /// Warnings for people.
  public var warnings: [String]
  /// What the warnings advise, for programs; nil for no advice.
  public var remedies: [Remedy]?

  /// Reads the file at `path`, with the lens database at `lensDatabase`; nil for the system's. With
  /// `decodesPixels` it takes seconds.
  public init(
    path: String, decodesPixels: Bool, lensDatabase: String? = nil,
    limits: DecodeLimits = DecodeLimits()
  ) throws(DevelopError) {
    var filter: RAWFilter
    do {
      filter = try RAWFilter(url: URL(fileURLWithPath: path), limits: limits)
      filter.lensDatabasePath = lensDatabase
      self.lensDatabase = try filter.lensDatabaseVersion()
    } catch {
      throw DevelopError(error, path: path)
    }
    file = path
    colorOrigin = filter.colorOrigin
    cropOrigin = filter.cropOrigin
    if decodesPixels {
      // An error here is reported with the rest.
      do {
        sensor = try filter.inspection()
        adjustments = try filter.resolvedAdjustments()
      } catch {
        pixelsError = error.message
      }
    }
    let properties = filter.properties
    let contents = filter.contents
    camera = filter.cameraName
    make = properties.make
    model = properties.model
    lens = properties.lens
    lensProfile = filter.lensProfileInfo
    date = properties.dateTimeOriginal
    exposureTime = properties.exposureTime
    aperture = properties.fNumber
    iso = properties.isoSpeed
    focalLength = properties.focalLength
    latitude = properties.location?.latitude
    longitude = properties.location?.longitude
    nativeWidth = filter.nativeSize.width
    nativeHeight = filter.nativeSize.height
    frameCount = filter.frameCount
    orientation = filter.orientation.rawValue
    if filter.isWhiteBalanceSupported {
      neutralTemperature = filter.neutralTemperature
      neutralTint = filter.neutralTint
      neutralChromaticity = [filter.neutralChromaticity.x, filter.neutralChromaticity.y]
    }
    // A DNG's storage is known without pixels, but belongs to the same group.
    let isKnown = sensor != nil || contents.storage != nil
    baselineExposure = decodesPixels && isKnown ? try? filter.resolvedBaselineExposure() : nil
    hiddenUnderexposure = filter.hiddenUnderexposure
    preview = filter.previewImage.map { [$0.size.width, $0.size.height] }
    supported = filter.supportedAdjustments
    decoderVersions = filter.supportedDecoderVersions.map(\.rawValue)
    storage = contents.storage
    dngVersion = contents.dngVersion
    dngBackwardVersion = contents.dngBackwardVersion
    opcodes = contents.opcodes
    gainTableMap = contents.gainTableMap
    profiles = contents.profiles
    mattes = filter.semanticMattes.map(Matte.init)
    transparencyMask = filter.transparencyMask.map(Matte.init)
    depth = filter.depthMap.map(Depth.init)
    xmpBytes = contents.xmpBytes
    warnings = filter.warnings
    remedies = filter.remedies.isEmpty ? nil : filter.remedies
  }

  /// The report as names and values, for people, and advice on a value.
  public var lines: [(name: String, value: String, remedies: [Remedy])] {
    var lines: [(String, String, [Remedy])] = []
    func add(_ name: String, _ value: String?, _ remedies: [Remedy] = []) {
      if let value { lines.append((name, value, remedies)) }
    }
    func number(_ value: Double, _ digits: Int) -> String {
      String(format: "%.\(digits)f", value)
    }
    add("file", file)
    add("camera", camera)
    add("color matrix from", colorOrigin.description)
    add("crop from", cropOrigin.description)
    add("lens", lens)
    add(
      "lens profile", lensProfile.map { "\($0.lens) (\($0.corrections.joined(separator: ", ")))" })
    add("lens database", lensDatabase)
    add("date", date)
    // 0 means unknown.
    func known(_ value: Double?, _ text: (Double) -> String) -> String? {
      value.flatMap { $0 > 0 ? text($0) : nil }
    }
    let exposure = [
      known(exposureTime) { $0 < 0.5 ? "1/\(number(1 / $0, 0)) s" : "\(number($0, 1)) s" },
      known(aperture) { "f/\(number($0, 1))" },
      known(iso.map(Double.init)) { "ISO \(number($0, 0))" },
      known(focalLength) { "\(number($0, 1)) mm" },
    ].compactMap(\.self)
    add("exposure", exposure.isEmpty ? nil : exposure.joined(separator: ", "))
    if let latitude, let longitude {
      add("location", "\(number(latitude, 6)), \(number(longitude, 6))")
    }
    add("size", "\(nativeWidth)x\(nativeHeight), orientation \(orientation)")
    if frameCount > 1 { add("frames", "\(frameCount); the first is developed unless one is named") }
    if let s = sensor {
      add("sensor", "\(s.layout) \(s.pattern) \(s.sensorWidth)x\(s.sensorHeight)")
      add("black", s.black.prefix(16).map { number(Double($0), 2) }.joined(separator: " "))
      add("white", s.white.map { number(Double($0), 2) }.joined(separator: " "))
      add("levels from", "black \(s.blackOrigin), white \(s.whiteOrigin)")
      add("clipped", s.clipped.map { number(Double($0) * 100, 3) + " %" }.joined(separator: " "))
      if !s.asShotNeutral.isEmpty {
        add("as-shot neutral", s.asShotNeutral.map { number($0, 5) }.joined(separator: " "))
        for row in 0..<3 {
          add(
            row == 0 ? "camera to BT.2020" : "",
            s.cameraToBT2020[(3 * row)..<(3 * row + 3)].map { number($0, 5) }
              .joined(separator: " "))
        }
      }
      for found in s.lateralColor ?? [] where found.isCorrected {
        add(
          "lateral \(found.color)",
          number(Double(found.amount), 2) + " pixels from green, found in the picture")
      }
      add("scene peak", number(Double(s.scenePeak), 3) + " x reference white")
      add("headroom", number(Double(s.headroom), 3) + " x reference white")
    }
    if let neutralTemperature, let neutralTint, let xy = neutralChromaticity {
      add(
        "white balance",
        "\(number(Double(neutralTemperature), 0)) K, tint \(number(Double(neutralTint), 1)), "
          + "xy \(number(xy[0], 4)) \(number(xy[1], 4))")
    }
    add("baseline exposure", baselineExposure.map { "\(number(Double($0), 2)) EV" })
    add(
      "hidden underexposure",
      hiddenUnderexposure.map { hidden in
        if hidden.isOfPictureAlone {
          return "none: \(hidden.description) brightens only the camera's own picture"
        }
        return hidden.description
          + (hidden.stops.map { ": recorded \(number($0, 2)) EV darker than metered" }
            ?? ": may be recorded darker than metered, by an unknown number of stops")
      })
    for (name, value) in contentLines { add(name, value) }
    add("preview", preview.map { "\($0[0])x\($0[1])" } ?? "none")
    add(
      "pixels",
      pixelsError ?? (sensor == nil ? "not decoded; levels and headroom need the pixels" : nil),
      pixelsError == nil ? [.decodePixels] : [])
    add("supported", supported.joined(separator: ", "))
    // Those that are the same for every file are in the table of properties.
    let own = (adjustments ?? []).filter { adjustment in
      guard adjustment.isSupported, let value = adjustment.value else { return false }
      return Float(RAWProperty.named(adjustment.name)?.standard ?? "") != value
    }
    for (index, adjustment) in own.enumerated() {
      guard let value = adjustment.value else { continue }
      add(index == 0 ? "defaults" : "", "\(adjustment.name) \(number(Double(value), 2))")
    }
    add("decoder versions", decoderVersions.joined(separator: " "))
    for warning in warnings { add("note", warning) }
    return lines
  }
}
