import Containers
import Foundation
import ImageCore
import ImageFilters

/// The settings that are taken, one function per group.
extension AdobeReading {
  mutating func takeWhiteBalance() {
    let name = fields["WhiteBalance"]?.text?.asName
    guard name != nil || fields["Temperature"] != nil || fields["Tint"] != nil else { return }
    for field in ["Temperature", "Tint"] {
      switch name?.lowercased() {
      // What Camera Raw computed from the camera's white, without effect there, too.
      case "as shot": leave(field)
      case "auto":
        ignore(field, "estimated by Camera Raw; the white is estimated again here")
      default: break
      }
    }
    let kelvin = number("Temperature", as: "raw.neutralTemperature")
    let tint = number("Tint", as: "raw.neutralTint")
    if (kelvin == nil) != (fields["Temperature"] == nil) || (tint == nil) != (fields["Tint"] == nil)
    {
      for field in ["Temperature", "Tint", "WhiteBalance"] {
        ignore(field, "it is part of an invalid white balance")
      }
      return
    }
    switch AdobeWhiteBalance(name: name, kelvin: kelvin, tint: tint) {
    case .asShot:
      // Null, which is as shot, overrides weaker layers.
      take("WhiteBalance", as: "raw.neutralTemperature", .null)
    case .automatic:
      take(
        "WhiteBalance", as: "raw.isAutomaticWhiteBalanceEnabled", .bool(true), isApproximate: true,
        note: "the white is estimated by another method")
    case .numbers(let kelvin, let tint):
      takeIlluminant(kelvin, tint, hasNumbers: fields["Temperature"] != nil)
    case .part(let kelvin, let tint):
      takeIlluminant(kelvin, tint, hasNumbers: true)
    case .unknown: ignore("WhiteBalance", "neither numbers nor a known preset")
    }
  }

  private mutating func takeIlluminant(_ kelvin: Double?, _ tint: Double?, hasNumbers: Bool) {
    if hasNumbers {
      let note =
        kelvin == nil || tint == nil ? "the other of temperature and tint stays as shot" : ""
      leave("WhiteBalance")
      if let kelvin {
        take("Temperature", as: "raw.neutralTemperature", .number(kelvin), note: note)
      }
      if let tint { take("Tint", as: "raw.neutralTint", .number(tint), note: note) }
    } else if let kelvin, let tint {
      settings.set("raw.neutralTint", .number(tint))
      take(
        "WhiteBalance", as: "raw.neutralTemperature", .number(kelvin),
        note: "Camera Raw's numbers for this illuminant; neutralTint \(Int(tint)) with it")
    }
  }

  mutating func takeExposure() {
    let field = isCurrent ? "Exposure2012" : "Exposure"
    guard let stops = number(field, as: "raw.exposure") else { return }
    take(
      field, as: "raw.exposure", .number(stops), isApproximate: !isCurrent,
      note: isCurrent ? "" : "process version \(process ?? "unknown") has another tone curve")
  }

  mutating func takeNoiseReduction() {
    let note = "the same scale, another method"
    if let amount = number(
      "LuminanceSmoothing", as: "raw.luminanceNoiseReductionAmount", percent: true)
    {
      // Camera Raw's default for every raw, so it is no one's choice.
      if amount == 0 {
        leave("LuminanceSmoothing")
      } else {
        take(
          "LuminanceSmoothing", as: "raw.luminanceNoiseReductionAmount", .number(amount / 100),
          isApproximate: true, note: note)
      }
    }
    if let amount = number(
      "ColorNoiseReduction", as: "raw.colorNoiseReductionAmount", percent: true)
    {
      guard amount != 25 else { return leave("ColorNoiseReduction") }
      take(
        "ColorNoiseReduction", as: "raw.colorNoiseReductionAmount", .number(amount / 100),
        isApproximate: amount != 0, note: amount == 0 ? "" : note)
    }
  }

  mutating func takeSharpness() {
    switch fields["Sharpness"]?.number {
    case 0: take("Sharpness", as: "raw.sharpnessAmount", .number(0))
    case isCurrent ? 40 : 25: leave("Sharpness")
    default: break
    }
  }

  mutating func takeLens(_ traits: RawTraits) {
    takeLateralColor()
    takeDefringe()
    guard let value = fields["LensProfileEnable"] else { return }
    let key = "raw.isLensCorrectionEnabled"
    switch value.truth {
    case true:
      take(
        "LensProfileEnable", as: key, .bool(true), isApproximate: true,
        note: "by the file's own corrections or lensfun's profile, not Adobe's")
    case false:
      if traits.hasLensCorrections {
        leave("LensProfileEnable")
        settings.notes.append(
          "LensProfileEnable is 0; the file's own lens corrections stay, as in Camera Raw")
      } else {
        take(
          "LensProfileEnable", as: key, .bool(false),
          note: "Camera Raw always applies corrections that are stored in a camera's raws")
      }
    case nil: ignore("LensProfileEnable", "it must be 0 or 1")
    }
  }

  /// Off is Camera Raw's default for every raw, so it is no one's choice.
  private mutating func takeLateralColor() {
    switch fields["AutoLateralCA"]?.truth {
    case true:
      take(
        "AutoLateralCA", as: "raw.isLateralColorCorrectionEnabled", .bool(true),
        isApproximate: true, note: "found in the picture as well, by another method")
    case false: leave("AutoLateralCA")
    default: break
    }
  }

  /// Two amounts of 0 to 20 for two ranges of hue: one amount here, the larger one's.
  private mutating func takeDefringe() {
    let amounts = ["DefringePurpleAmount", "DefringeGreenAmount"].compactMap { field in
      number(field, in: 0...20).map { (field, $0) }
    }
    guard let most = amounts.map(\.1).max(), most > 0 else { return }
    for (field, amount) in amounts where amount > 0 {
      take(
        field, as: "raw.defringeAmount", .number(most / 20), isApproximate: true,
        note: "one amount for purple and green, by another method")
    }
  }

  /// HDRMaxValue is the "HDR limit": the headroom in stops.
  mutating func takeHeadroom() {
    guard let value = fields["HDREditMode"] else { return }
    switch value.truth {
    case true:
      take("HDREditMode", as: "raw.extendedDynamicRangeAmount", .number(1))
      guard let stops = number("HDRMaxValue", in: 0...20) else { return }
      let limit = (exp2(stops) * 1e6).rounded() / 1e6
      take(
        "HDRMaxValue", as: "render.headroomLimit", .number(limit),
        note: "2 to the power of the stops")
    case false:
      leave("HDREditMode")
      settings.notes.append("HDREditMode is 0: how much headroom opens is left to the outputs")
    case nil: ignore("HDREditMode", "it must be 0 or 1")
    }
  }

  mutating func takeProfile(_ traits: RawTraits) {
    // As the names of the file's profiles are cut.
    guard let name = fields["CameraProfile"]?.text?.asName, !name.isEmpty else { return }
    if name == "Embedded" {
      leave("CameraProfile")
    } else if traits.profileNames.contains(name) {
      take("CameraProfile", as: "raw.profileName", .text(name))
    } else {
      ignore("CameraProfile", "the file has no profile of this name; see profilePath")
    }
  }

  mutating func takeCrop(_ packet: XMPPacket, _ traits: RawTraits, orientation: Int) {
    let sides = ["CropLeft", "CropTop", "CropRight", "CropBottom"]
    if let value = fields["HasCrop"] {
      leave("HasCrop")
      guard value.truth == true else {
        for field in sides + ["CropAngle"] { leave(field) }
        return
      }
    }
    guard (sides + ["CropAngle"]).contains(where: { fields[$0] != nil }) else { return }
    let values = zip(sides, [0.0, 0, 1, 1]).map { side, full in
      fields[side].map(\.number) ?? full
    }
    let angle = fields["CropAngle"].map(\.number) ?? 0
    guard let left = values[0], let top = values[1], let right = values[2],
      let bottom = values[3], let angle
    else { return ignoreCrop("the crop has an invalid number") }
    do {
      let crop = try AdobeCrop(
        left: left, top: top, right: right, bottom: bottom, angle: angle,
        aspect: traits.storedAspect ?? Self.aspect(packet), orientation: orientation)
      guard let crop else {
        for field in sides + ["CropAngle"] { leave(field) }
        return
      }
      guard let area = CropArea(edges: crop.crop) else { return ignoreCrop("the crop is empty") }
      let note = crop.isReduced ? "reduced to what stays inside the picture" : ""
      for field in sides {
        take(
          field, as: "raw.crop", .text(area.description),
          isApproximate: crop.isReduced, note: note)
      }
      if crop.angle != 0 {
        take("CropAngle", as: "raw.straightenAngle", .number(crop.angle))
      } else {
        leave("CropAngle")
      }
    } catch {
      switch error {
      case .outside: ignoreCrop("the crop leaves the picture")
      case .empty: ignoreCrop("the crop is empty")
      case .angle: ignoreCrop("the angle must be from -45 to 45")
      case .aspect: ignoreCrop("a turned crop needs the size of the picture, which is unknown")
      }
    }
  }

  private mutating func ignoreCrop(_ reason: String) {
    for field in ["CropLeft", "CropTop", "CropRight", "CropBottom", "CropAngle"] {
      ignore(field, reason)
    }
  }

  /// Aspect ratio of the stored picture as declared in the packet.
  private static func aspect(_ packet: XMPPacket) -> Double? {
    guard let width = packet[.tiff, "ImageWidth"]?.number,
      let height = packet[.tiff, "ImageLength"]?.number, width >= 1, height >= 1
    else { return nil }
    return width / height
  }
}
