import Foundation
import ImageCore
public import RawFilter

extension InfoReport {
  /// A matte or mask.
  public struct Matte: Sendable, Hashable, Codable {
    /// `portrait-effects`, `skin`, …, or the name as stored; empty for a transparency mask.
    public var kind: String
    /// SemanticName as stored.
    public var name: String
    /// SemanticInstanceID.
    public var instanceID: String?
    /// Columns, in the orientation and crop of the developed picture.
    public var width: Int
    /// Rows, likewise.
    public var height: Int
    /// Bits of a stored sample.
    public var bitsPerSample: Int

    init(_ matte: SemanticMatte) {
      self.init(matte.picture)
      kind = matte.kind.label
      name = matte.name
      instanceID = matte.instanceID
    }

    init(_ mask: AuxiliaryPicture) {
      (kind, name) = ("", "")
      (width, height) = (mask.size.width, mask.size.height)
      bitsPerSample = mask.bitsPerSample
    }
  }

  /// A depth map.
  public struct Depth: Sendable, Hashable, Codable {
    /// Columns, in the orientation and crop of the developed picture.
    public var width: Int
    /// Rows, likewise.
    public var height: Int
    /// Bits of a stored sample.
    public var bitsPerSample: Int
    /// How distance depends on the stored value.
    public var format: DepthMap.Format
    /// Distance at 0; nil where unknown.
    public var near: Double?
    /// Distance at 1; nil where unknown or infinite.
    public var far: Double?
    /// Whether the distance at 1 is infinite.
    public var isFarInfinite: Bool
    /// The unit of near and far.
    public var units: DepthMap.Units
    /// The direction of distance: along the optical axis or the ray.
    public var measure: DepthMap.Measure

    init(_ map: DepthMap) {
      (width, height) = (map.size.width, map.size.height)
      bitsPerSample = map.picture.bitsPerSample
      format = map.format
      near = map.near.flatMap { $0.isFinite ? $0 : nil }
      far = map.far.flatMap { $0.isFinite ? $0 : nil }
      isFarInfinite = map.far == .infinity
      units = map.units
      measure = map.measure
    }
  }

  /// The contents of a DNG other than the picture, for people.
  var contentLines: [(name: String, value: String)] {
    var lines: [(String, String)] = []
    if let dngVersion, let dngBackwardVersion {
      lines.append(("DNG version", "\(dngVersion), readable from \(dngBackwardVersion)"))
    }
    if let s = storage {
      let kind = s.isFloat ? "float" : "integer"
      let kindOfPart = s.isTiled ? "tile" : "strip"
      let parts = "\(s.tileCount) \(kindOfPart)\(s.tileCount == 1 ? "" : "s")"
      lines.append(
        (
          "storage",
          "\(s.compression), \(s.samplesPerPixel) x \(s.bitsPerSample) bits \(kind), "
            + "\(s.width)x\(s.height) in \(parts) of \(s.tileWidth)x\(s.tileHeight)"
        ))
    }
    for profile in profiles {
      lines.append(("profile", profile.line))
    }
    for (index, list) in opcodes.enumerated() where !list.isEmpty {
      lines.append(("opcode list \(index + 1)", list.joined(separator: ", ")))
    }
    if let map = gainTableMap {
      lines.append(
        (
          "gain table map",
          "version \(map.version), \(map.rows)x\(map.columns)x\(map.points) (rows, columns, points)"
        ))
    }
    for matte in mattes {
      let label = matte.kind.isEmpty ? "(no name)" : matte.kind
      let instance = matte.instanceID.map { " \($0)" } ?? ""
      lines.append(
        (
          "matte",
          "\(label)\(instance) \(matte.width)x\(matte.height), \(matte.bitsPerSample) bits"
        ))
    }
    if let mask = transparencyMask {
      lines.append(
        ("transparency mask", "\(mask.width)x\(mask.height), \(mask.bitsPerSample) bits"))
    }
    if let depth { lines.append(("depth map", depth.line)) }
    if xmpBytes > 0 { lines.append(("XMP", "\(xmpBytes) bytes")) }
    return lines
  }
}

extension CameraProfileInfo {
  fileprivate var line: String {
    func sizes(_ name: String, _ values: [Int]) -> String? {
      values.isEmpty ? nil : "\(name) " + values.map(String.init).joined(separator: "x")
    }
    let parts = [
      sizes("hue and saturation map", hueSatMap), sizes("look table", lookTable),
      sizes("gain table map", gainTableMap),
      rgbTables > 0 ? "\(rgbTables) RGB table\(rgbTables == 1 ? "" : "s")" : nil,
      toneCurvePoints > 0 ? "tone curve of \(toneCurvePoints) points" : nil,
      baselineExposureOffset != 0 ? String(format: "%+.2f EV", baselineExposureOffset) : nil,
    ].compactMap { $0 }
    let range = isHighRange ? "HDR" : "SDR"
    return "\(name) (\(range)\(group.isEmpty ? "" : ", group \(group)"))"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }
}

extension InfoReport.Depth {
  fileprivate var line: String {
    func text(_ value: Double?) -> String { value.map { String(format: "%.3g", $0) } ?? "unknown" }
    let unit = units == .meters ? " m" : ""
    return "\(width)x\(height), \(bitsPerSample) bits, \(format.rawValue), near \(text(near))"
      + "\(near == nil ? "" : unit), far "
      + (isFarInfinite ? "infinite" : text(far) + (far == nil ? "" : unit))
  }
}
