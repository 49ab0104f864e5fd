import Formats
import Foundation
import HDRRender
import ImageCore
import Readers

/// The differences between the HDR declarations of two files.
struct GainMapChanges {
  private(set) var findings: [GainMapCheck.Finding] = []

  /// Differences below these are rounding: of gains and headrooms in stops, of an exponent,
  /// of offsets in multiples of reference white, of luminances as a ratio.
  private static let (stops, exponent, offset, nits) = (0.01, 0.01, 1e-4, 0.01)
  /// What Apple's two numbers and its curve can be off by, in stops.
  private static let appleStops = 0.1
  /// The maximum that MakerApple encodes, in stops.
  private static let makerStops = 3.0

  init(_ before: GainMapInfo, _ after: GainMapInfo) {
    range(before, after)
    agreement(before, after)
    if before.image.gainMap != nil, after.image.gainMap != nil {
      forms(before, after)
      parameters(before, after)
    }
    if before.isHDR { colors(before, after) }
    if before.image.isHighDynamicRange, after.image.isHighDynamicRange { luminance(before, after) }
  }

  private mutating func add(
    _ effect: GainMapCheck.Effect, _ subject: GainMapCheck.Subject, _ message: String,
    _ values: (Double, Double)? = nil
  ) {
    findings.append(
      .init(
        effect: effect, subject: subject, message: message, original: values?.0,
        export: values?.1))
  }

  private func number(_ value: Double) -> String { String(format: "%.4g", value) }

  /// A value that may differ by at most `tolerance`.
  private mutating func compare(
    _ subject: GainMapCheck.Subject, _ name: String, _ old: Double, _ new: Double,
    tolerance: Double, unit: String = "", effect: GainMapCheck.Effect = .changed
  ) {
    guard abs(new - old) > tolerance else { return }
    let sign = new > old ? "+" : "-"
    add(
      effect, subject,
      "\(name) is \(number(new))\(unit) instead of \(number(old))\(unit) "
        + "(\(sign)\(number(abs(new - old))))", (old, new))
  }

  // MARK: Presence

  private mutating func range(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.image, after.image)
    switch (old.gainMap != nil, new.gainMap != nil) {
    case (true, true):
      if let damage = after.damage {
        add(.lost, .map, "the gain map cannot be decoded: \(damage)")
      }
    case (true, false) where new.isHighDynamicRange:
      add(.note, .map, "the gain map was applied: the export is \(new.color.name)")
      compare(
        .headroom, "headroom", log2(old.contentHeadroom), log2(new.contentHeadroom),
        tolerance: Self.appleStops, unit: " stops", effect: .note)
    case (true, false):
      let why = after.obstacle.map { " (\($0))" } ?? ""
      add(.lost, .map, "the gain map is gone: the export is SDR\(why)", (old.contentHeadroom, 1))
    case (false, true) where !old.isHighDynamicRange:
      let why = before.obstacle.map { " that can be used (\($0))" } ?? ""
      add(.note, .map, "the export has a gain map, the original has none\(why)")
    case (false, true):
      add(.note, .map, "the export holds \(old.color.name) as a gain map")
      compare(
        .headroom, "headroom", log2(old.contentHeadroom), log2(new.contentHeadroom),
        tolerance: Self.appleStops, unit: " stops", effect: .note)
    case (false, false) where old.isHighDynamicRange && !new.isHighDynamicRange:
      add(
        .lost, .range, "the export is SDR (\(new.color.name)), the original \(old.color.name)",
        (old.contentHeadroom, 1))
    case (false, false) where !old.isHighDynamicRange:
      let why = before.obstacle.map { " (\($0))" } ?? ""
      add(.note, .range, "the original is SDR\(why): it has no HDR to lose")
    case (false, false): break
    }
  }

  private mutating func forms(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.parameters.formats, after.parameters.formats)
    let kind = after.image.kind
    for form in old where !new.contains(form) {
      if kind.gainMapFormats.contains(form) {
        let left = new.map(\.name).joined(separator: " and ")
        add(.lost, .form, "\(form.name) is missing; left is \(left)")
      } else {
        add(.note, .form, "\(form.name) is missing, as \(kind.name) cannot store it")
      }
    }
    for form in new where !old.contains(form) {
      add(.note, .form, "\(form.name) was added")
    }
    let (maker, newMaker) = (before.image.makerApple, after.image.makerApple)
    if new.contains(.apple), maker != nil, newMaker == nil {
      add(
        .lost, .makerApple,
        "MakerApple 33 and 48 are gone, from which readers of Apple's form before 2023 take the "
          + "headroom")
    } else if new.contains(.apple), let a = maker?.headroom, let b = newMaker?.headroom {
      compare(
        .makerApple, "the headroom of MakerApple 33 and 48", log2(a), log2(b),
        tolerance: Self.stops, unit: " stops")
    }
  }

  // MARK: Parameters

  private mutating func parameters(_ before: GainMapInfo, _ after: GainMapInfo) {
    guard let a = before.image.gainMap, let b = after.image.gainMap else { return }
    compare(
      .headroom, "headroom", log2(a.headroom), log2(b.headroom), tolerance: Self.stops,
      unit: " stops")
    if a.channels != b.channels {
      add(
        b.channels < a.channels ? .changed : .note, .channels,
        "the gain map has \(b.channels) channels instead of \(a.channels)",
        (Double(a.channels), Double(b.channels)))
    }
    if b.bitDepth < a.bitDepth {
      add(
        .note, .bits, "the gain map has \(b.bitDepth) bits instead of \(a.bitDepth)",
        (Double(a.bitDepth), Double(b.bitDepth)))
    }
    switch (before.metadata, after.metadata) {
    case (let old?, let new?): iso(old, new)
    case (nil, nil): break
    default:
      add(
        .note, .form,
        "the map is applied by \(after.metadata == nil ? "Apple's" : "ISO's") formula now")
    }
    actingPrimaries(before, after)
  }

  /// The primaries in which gains apply; for a gray map with one offset they make no difference.
  private mutating func actingPrimaries(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.actingPrimaries, after.actingPrimaries)
    guard old != new else { return }
    let isColor = [before, after].contains { info in
      info.image.gainMap?.channels == 3
        || info.metadata?.channels.contains { $0.baseOffset != $0.alternateOffset } == true
    }
    add(
      isColor ? .changed : .note, .color,
      "gains act in the primaries \(new.rawValue) instead of \(old.rawValue)")
  }

  private mutating func iso(_ old: GainMapMetadata, _ new: GainMapMetadata) {
    if old.isBaseHDR != new.isBaseHDR {
      add(
        .changed, .base,
        "the base is the \(new.isBaseHDR ? "HDR" : "SDR") rendition instead of the other")
      return
    }
    compare(
      .base, "headroom of the base", old.baseHeadroomStops, new.baseHeadroomStops,
      tolerance: Self.stops, unit: " stops")
    func channels(
      _ subject: GainMapCheck.Subject, _ name: String, tolerance: Double, unit: String = "",
      _ value: (GainMapMetadata.Channel) -> Double
    ) {
      let pairs = (0..<3).map { (old: value(old.channel($0)), new: value(new.channel($0))) }
      let isOne = pairs.allSatisfy { $0 == pairs[0] }
      for (channel, pair) in zip(["red ", "green ", "blue "], pairs).prefix(isOne ? 1 : 3) {
        compare(
          subject, (isOne ? "" : channel) + name, pair.old, pair.new, tolerance: tolerance,
          unit: unit)
      }
    }
    channels(.minimumGain, "minimum gain", tolerance: Self.stops, unit: " stops", \.minimumStops)
    channels(.maximumGain, "maximum gain", tolerance: Self.stops, unit: " stops", \.maximumStops)
    channels(.gamma, "gamma", tolerance: Self.exponent, \.gamma)
    channels(.baseOffset, "base offset", tolerance: Self.offset, \.baseOffset)
    channels(.alternateOffset, "alternate offset", tolerance: Self.offset, \.alternateOffset)
  }

  // MARK: Agreement of the formats

  private mutating func agreement(_ before: GainMapInfo, _ after: GainMapInfo) {
    let old = Self.contradictions(before.parameters)
    for text in Self.contradictions(after.parameters) where !old.contains(text) {
      add(old.isEmpty ? .changed : .note, .agreement, "the export contradicts itself: \(text)")
    }
    for text in old { add(.note, .agreement, "the original contradicts itself: \(text)") }
  }

  /// Where the formats of one file contradict each other.
  static func contradictions(_ parameters: GainMapParameters) -> [String] {
    func number(_ value: Double) -> String { String(format: "%.4g", value) }
    var texts: [String] = []
    let hdrgm = parameters.ultraHDR.flatMap { try? GainMapMetadata($0) }
    if parameters.ultraHDR != nil, hdrgm == nil { texts.append("hdrgm's values are not valid") }
    if let iso = parameters.iso, let hdrgm {
      if iso.isBaseHDR != hdrgm.isBaseHDR {
        texts.append("ISO and hdrgm name different renditions as the base")
      }
      let pairs = [
        ("headroom", iso.alternateHeadroomStops, hdrgm.alternateHeadroomStops, stops),
        ("base headroom", iso.baseHeadroomStops, hdrgm.baseHeadroomStops, stops),
      ]
      var values = pairs
      for index in 0..<max(iso.channels.count, hdrgm.channels.count) {
        let (a, b) = (iso.channel(index), hdrgm.channel(index))
        values += [
          ("minimum gain", a.minimumStops, b.minimumStops, stops),
          ("maximum gain", a.maximumStops, b.maximumStops, stops),
          ("gamma", a.gamma, b.gamma, exponent),
          ("base offset", a.baseOffset, b.baseOffset, offset),
          ("alternate offset", a.alternateOffset, b.alternateOffset, offset),
        ]
      }
      var named: Set<String> = []
      for (name, a, b, tolerance) in values
      where abs(a - b) > tolerance && named.insert(name).inserted {
        texts.append("\(name) is \(number(a)) in ISO's form and \(number(b)) in hdrgm")
      }
    }
    if let declared = parameters.appleHeadroom, let metadata = parameters.iso ?? hdrgm {
      let apple = log2(declared)
      let others =
        [max(metadata.alternateHeadroomStops, metadata.baseHeadroomStops)]
        + metadata.channels.map(\.maximumStops)
      // Apple's formula has one number for the largest gain and for the headroom.
      let nearest = others.min { abs($0 - apple) < abs($1 - apple) } ?? apple
      if abs(nearest - apple) > appleStops {
        texts.append(
          "headroom is \(number(apple)) stops in Apple's form and "
            + "\(number(others[0])) in "
            + (parameters.iso == nil ? "hdrgm" : "ISO's"))
      }
    }
    if let declared = parameters.apple?.declaredHeadroom, declared > 0,
      let maker = parameters.maker?.headroom
    {
      let (a, b) = (min(log2(declared), makerStops), log2(maker))
      if abs(a - b) > appleStops {
        texts.append(
          "HDRGainMapHeadroom is \(number(a)) stops, MakerApple 33 and 48 give \(number(b))")
      }
    }
    return texts
  }

  // MARK: Color and luminance

  private mutating func colors(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.image, after.image)
    if new.bitDepth < old.bitDepth {
      add(
        .note, .bits, "the picture has \(new.bitDepth) bits instead of \(old.bitDepth)",
        (Double(old.bitDepth), Double(new.bitDepth)))
    }
    guard before.isHDR, after.isHDR, old.isHighDynamicRange == new.isHighDynamicRange else {
      return
    }
    if new.gainMap != nil, new.isHighDynamicRange, let metadata = after.metadata,
      !metadata.isBaseHDR
    {
      add(
        .changed, .base,
        "the base is \(new.color.name), but the map declares it as the SDR rendition")
    }
    if old.color.primaries != new.color.primaries {
      add(
        .changed, .color,
        "the primaries of the picture are \(new.color.primaries.rawValue) instead of "
          + old.color.primaries.rawValue)
    } else if old.color.origin != .assumed, new.color.origin == .assumed {
      add(.lost, .color, "the picture does not declare its colors any more; sRGB is assumed")
    }
  }

  private mutating func luminance(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.image, after.image)
    if old.color.isPQ != new.color.isPQ {
      add(.note, .signalling, "the export is \(new.color.name), the original \(old.color.name)")
    }
    if old.color.codePoints != nil, new.color.codePoints == nil {
      add(
        .changed, .signalling,
        "the code points (CICP) are gone; \(new.color.name) is declared only by a profile")
    }
    let held = new.kind.container?.descriptor.hdrMetadataFields ?? []
    let (had, has) = (old.hdrMetadata.fields, new.hdrMetadata.fields)
    for field in had where !has.contains(field) {
      if held.contains(field) {
        add(.lost, .light, "\(field.rawValue) is missing")
      } else {
        add(.note, .light, "\(field.rawValue) is missing, as \(new.kind.name) cannot store it")
      }
    }
    func luminance(_ name: String, _ a: Double?, _ b: Double?, _ checker: inout Self) {
      guard let a, let b else { return }
      checker.compare(.light, name, a, b, tolerance: Self.nits * max(a, 1e-3))
    }
    let (a, b) = (old.hdrMetadata, new.hdrMetadata)
    luminance(
      "MaxCLL", a.contentLight?.maximumNits, b.contentLight?.maximumNits, &self)
    luminance("MaxFALL", a.contentLight?.averageNits, b.contentLight?.averageNits, &self)
    luminance(
      "the mastering display's peak", a.masteringDisplay?.maximumNits,
      b.masteringDisplay?.maximumNits, &self)
    luminance(
      "the mastering display's black", a.masteringDisplay?.minimumNits,
      b.masteringDisplay?.minimumNits, &self)
    luminance("ambient light", a.ambient?.lux, b.ambient?.lux, &self)
    luminance("diffuse white", a.diffuseWhiteNits, b.diffuseWhiteNits, &self)
  }
}

extension GainMapFormat {
  /// The form's name for people.
  fileprivate var name: String {
    switch self {
    case .apple: "Apple's form (HDRGainMap)"
    case .iso: "ISO 21496-1's form"
    case .ultraHDR: "Ultra HDR's form (hdrgm)"
    }
  }
}
