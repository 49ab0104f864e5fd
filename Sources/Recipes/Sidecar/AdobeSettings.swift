public import Containers
import Foundation

/// Camera Raw's and Lightroom's settings (crs:) as a layer of a recipe.
///
/// Taken is what means the same here: white balance (`AdobeWhiteBalance`), Exposure2012, crop and
/// angle (`AdobeCrop`), tiff:Orientation, lens corrections on or off, HDR editing with its limit,
/// a camera profile that the file itself has, and sharpening where it is off. Approximate are the
/// two noise reduction amounts (the same scale, another method), automatic white balance, Exposure
/// of the processes before 2012 (another tone curve behind it), and lens corrections where they are
/// on (other profiles). All else would be a guess at formulas that are not published, and is
/// reported instead.
///
/// A sidecar states how its picture looked, so numbers are taken when they are 0, too. Three states
/// that mean "nothing done" give no key: no crop, HDR off. So do two defaults that mean "as much as
/// such pictures need", which is this program's default as well: ColorNoiseReduction 25, and
/// Sharpness 40 (25 before 2012).
///
/// Every field of crs: that has an effect is in `taken` or in `ignored`, never in both. Left out
/// are fields without effect (`AdobeFields`): at Camera Raw's default, or dependent on one that
/// is off. With AlreadyApplied the settings are in the pixels, and nothing is taken.
public enum AdobeSettings {
  /// Whether `packet` has settings of Camera Raw.
  public static func isIn(_ packet: XMPPacket) -> Bool {
    packet.properties.keys.contains {
      $0.namespace == XMPNamespace.cameraRaw.uri && $0.name != "RawFileName"
    }
  }

  /// What `packet` says for the raw file with these facts.
  public static func read(_ packet: XMPPacket, facts: RawFacts = RawFacts()) -> SidecarSettings {
    var reading = AdobeReading(packet)
    reading.noteVersion()
    if reading.fields["AlreadyApplied"]?.truth == true {
      reading.settings.notes.append(
        "AlreadyApplied is True: the settings are in the pixels already, so none is taken")
      reading.ignoreRest { _ in "already applied to the pixels" }
      return reading.settings
    }
    let orientation = reading.settings.takeOrientation(packet) ?? facts.orientation
    reading.takeWhiteBalance()
    reading.takeExposure()
    reading.takeNoiseReduction()
    reading.takeSharpness()
    reading.takeLens(facts)
    reading.takeHeadroom()
    reading.takeProfile(facts)
    reading.takeCrop(packet, facts, orientation: orientation)
    reading.ignoreRest { field in AdobeFields.reason(field) }
    return reading.settings
  }
}

/// The fields of one packet while they are read: each is dealt with once.
struct AdobeReading {
  let fields: [String: XMPValue]
  let process: String?
  /// Whether the process is that of 2012 or newer, which has tone controls of its own.
  let isCurrent: Bool
  var settings = SidecarSettings()
  private var done: Set<String> = []

  init(_ packet: XMPPacket) {
    fields = packet.fields(in: .cameraRaw)
    process = fields["ProcessVersion"]?.text
    // Versions are numbers with a point: 6.7 is 2012, 15.4 the newest known, 5.7 is 2010.
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

  /// `field` says nothing.
  mutating func leave(_ field: String) { done.insert(field) }

  /// The number of `field`, within the range of `key`, which a field in percent has a hundred
  /// times; one outside, or no number at all, is ignored.
  mutating func number(_ field: String, as key: String, percent: Bool = false) -> Double? {
    let known = RecipeKey.all.first { $0.path == key }
    let scale = percent ? 100.0 : 1
    let (low, high) = (known?.minimum ?? -.infinity, known?.maximum ?? .infinity)
    return number(field, in: low * scale...high * scale)
  }

  /// The number of `field`; one outside `range`, or no number at all, is ignored.
  mutating func number(_ field: String, in range: ClosedRange<Double>) -> Double? {
    guard let value = fields[field] else { return nil }
    if let number = value.number, range.contains(number) { return number }
    ignore(field, "it must be a number from \(text(range.lowerBound)) to \(text(range.upperBound))")
    return nil
  }

  private func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }

  /// Reports everything that has an effect and is not dealt with.
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
