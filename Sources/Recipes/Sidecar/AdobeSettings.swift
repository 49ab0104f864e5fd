public import Containers
import Foundation

/// Camera Raw's and Lightroom's settings (crs:) as a layer of a recipe.
///
/// Settings that mean the same here are applied: white balance (`AdobeWhiteBalance`),
/// Exposure2012, crop and angle (`AdobeCrop`), tiff:Orientation, lens corrections on or off, HDR
/// editing with its limit, a camera profile of the file itself, and sharpening where it is off.
/// Approximate are the two noise reduction amounts (same scale, other method), automatic white
/// balance, Exposure of processes before 2012 (followed by another tone curve), and lens
/// corrections where they are on (other profiles). The formulas of all others are not published:
/// tone, color, finish, the parametric curve, clarity, texture, dehaze and calibration become the
/// nearest settings here, the rest is reported instead.
///
/// A sidecar describes a finished look, so values of 0 are applied, too. No crop and HDR off give
/// no key, and neither do two defaults that mean "as much as typical pictures need", which is the
/// default here as well: ColorNoiseReduction 25, and Sharpness 40 (25 before 2012).
///
/// Every field of crs: with an effect is either in `taken` or in `ignored`. Fields without effect
/// (`AdobeFields`) are in neither: fields at Camera Raw's default, and fields that depend on one
/// that is off. With AlreadyApplied the settings are in the pixels, and none is applied.
public enum AdobeSettings {
  /// Whether `packet` has settings of Camera Raw.
  public static func isIn(_ packet: XMPPacket) -> Bool {
    packet.properties.keys.contains { $0.isIn(.cameraRaw) && $0 != rawFileName }
  }

  /// The name of the raw, which is no setting.
  static let rawFileName = XMPName(.cameraRaw, "RawFileName")

  /// The settings of `packet` for a raw with these properties.
  public static func read(_ packet: XMPPacket, traits: RawTraits = RawTraits()) -> SidecarSettings {
    var reading = AdobeReading(packet)
    reading.noteVersion()
    if reading.fields["AlreadyApplied"]?.truth == true {
      reading.settings.notes.append(
        "AlreadyApplied is True: the settings are in the pixels already, so none is taken")
      reading.ignoreRest { _ in "already applied to the pixels" }
      return reading.settings
    }
    let orientation = reading.settings.takeOrientation(packet) ?? traits.orientation
    reading.takeWhiteBalance()
    reading.takeExposure()
    reading.takeLook()
    reading.takeNoiseReduction()
    reading.takeSharpness()
    reading.takeLens(traits)
    reading.takeHeadroom()
    reading.takeProfile(traits)
    reading.takeCrop(packet, traits, orientation: orientation)
    reading.ignoreRest { field in AdobeFields.reason(field) }
    return reading.settings
  }
}

/// The fields of one packet while they are read; each is handled once.
struct AdobeReading {
  let fields: [String: XMPValue]
  let process: String?
  /// Whether the process is 2012 or newer, with other tone controls.
  let isCurrent: Bool
  var settings = SidecarSettings()
  private var done: Set<String> = []

  init(_ packet: XMPPacket) {
    fields = packet.fields(in: .cameraRaw)
    process = fields["ProcessVersion"]?.text
    // 5.7 is the process of 2010, 6.7 of 2012, 15.4 the newest known.
    if let version = fields["ProcessVersion"]?.number {
      isCurrent = version >= 6.7
    } else {
      isCurrent = fields.keys.contains { $0.hasSuffix("2012") } || fields["Exposure"] == nil
    }
  }

  mutating func noteVersion() {
    guard fields["Version"] != nil || process != nil else { return }
    let version = fields["Version"]?.summary ?? "unknown"
    let process = fields["ProcessVersion"]?.summary ?? "unknown"
    settings.writer = "Camera Raw \(version), process version \(process)"
  }

  mutating func take(
    _ field: String, as key: String, _ setting: RecipeValue, isApproximate: Bool = false,
    note: String = ""
  ) {
    guard let value = fields[field], done.insert(field).inserted else { return }
    settings.take(
      "crs:\(field)", value, as: key, setting, isApproximate: isApproximate, note: note)
  }

  mutating func ignore(_ field: String, _ reason: String) {
    guard let value = fields[field], done.insert(field).inserted else { return }
    settings.ignore("crs:\(field)", value, reason)
  }

  /// Handles `field` as one without effect.
  mutating func leave(_ field: String) { done.insert(field) }

  /// The number of `field`, which has the range of `key`, or with `percent` a hundred times that.
  /// Values out of range and values that are not numbers are ignored.
  mutating func number(_ field: String, as key: String, percent: Bool = false) -> Double? {
    let known = RecipeKey.all.first { $0.path == key }
    let scale = percent ? 100.0 : 1
    let (low, high) = (known?.minimum ?? -.infinity, known?.maximum ?? .infinity)
    return number(field, in: low * scale...high * scale)
  }

  /// The number of `field`. Values outside `range` and values that are not numbers are ignored.
  mutating func number(_ field: String, in range: ClosedRange<Double>) -> Double? {
    guard let value = fields[field] else { return nil }
    if let number = value.number, range.contains(number) { return number }
    ignore(field, "it must be a number from \(text(range.lowerBound)) to \(text(range.upperBound))")
    return nil
  }

  private func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }

  /// Ignores all fields that have an effect and are not handled yet.
  mutating func ignoreRest(_ reason: (String) -> String) {
    for field in fields.keys.sorted() where !done.contains(field) {
      guard let value = fields[field] else { continue }
      if AdobeFields.isNeutral(field, value, among: fields) {
        leave(field)
      } else if isCurrent, AdobeFields.legacy.contains(field) {
        ignore(field, "of processes before 2012; Camera Raw does not use it here either")
      } else {
        ignore(field, reason(field))
      }
    }
  }
}
