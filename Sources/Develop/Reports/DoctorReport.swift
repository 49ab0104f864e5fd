import Foundation
public import ImageCore
import RawFilter

/// Whether a raw develops plausibly, from opening it to comparing the picture with the camera's
/// preview: the result of `rawdev doctor`. Takes seconds.
public struct DoctorReport: Sendable, Codable {
  /// One thing that was looked at.
  public struct Check: Sendable, Hashable, Codable {
    /// How it ended.
    public enum Outcome: String, Sendable, Codable {
      case passed
      /// The raw can be developed, but the picture may not be right.
      case doubtful
      /// The raw cannot be developed.
      case failed
      /// Not applicable to this file.
      case skipped
    }

    /// `opens`, `pixels`, `levels`, `black`, `white balance`, `colors` or `preview`.
    public var name: String
    /// How it ended.
    public var outcome: Outcome
    /// The finding.
    public var detail: String
  }

  /// Path of the file.
  public var file: String
  /// Make and model; empty for a file that does not open or decode.
  public var camera = ""
  /// Version of this program.
  public var version = RawdevVersion.current
  /// The checks; a failure to open or to decode is the last one.
  public var checks: [Check] = []

  /// Whether the raw can be developed.
  public var isDevelopable: Bool { !checks.contains { $0.outcome == .failed } }
  /// Whether the raw can be developed and no check is doubtful.
  public var isSound: Bool { isDevelopable && doubts.isEmpty }
  /// The names of the doubtful checks.
  public var doubts: [String] { checks.filter { $0.outcome == .doubtful }.map(\.name) }

  /// Checks the raw at `path`.
  public init(path: String, limits: DecodeLimits = DecodeLimits()) {
    file = path
    do throws(RAWError) {
      try check(RAWFilter(url: URL(fileURLWithPath: path), limits: limits))
    } catch {
      add(checks.isEmpty ? "opens" : "pixels", .failed, error.message)
    }
  }

  private mutating func add(_ name: String, _ outcome: Check.Outcome, _ detail: String) {
    checks.append(Check(name: name, outcome: outcome, detail: detail))
  }

  private mutating func add(_ name: String, _ isSound: Bool, _ detail: String) {
    add(name, isSound ? .passed : .doubtful, detail)
  }

  private mutating func check(_ filter: RAWFilter) throws(RAWError) {
    add("opens", true, "\(filter.nativeSize), colors from \(filter.colorOrigin)")
    let info = try filter.inspection()
    camera = info.camera
    add("pixels", true, "\(info.layout) \(info.sensorWidth)x\(info.sensorHeight)")

    let (darkest, brightest) = (info.black.max() ?? 0, info.white.min() ?? 0)
    let clipped = info.clipped.max() ?? 0
    add(
      "levels", darkest >= 0 && brightest > 4 * darkest && brightest > 0 && clipped < 0.6,
      "black \(text(darkest)) from \(info.blackOrigin), white \(text(brightest)) from "
        + "\(info.whiteOrigin), \(text(clipped * 100)) % of a channel clipped")

    var small = filter
    small.scaleFactor = min(
      1, 640 / Float(max(filter.nativeSize.width, filter.nativeSize.height)))
    var scene = small
    scene.boostAmount = 0
    let image = try scene.outputImage().image
    var below = 0
    for y in 0..<image.size.height {
      for x in 0..<image.size.width where image[x, y].max() <= 0 { below += 1 }
    }
    let fraction = Float(below) / Float(image.size.area)
    add("black", fraction < 0.05, "\(text(fraction * 100)) % of the picture at or below black")

    if filter.isWhiteBalanceSupported {
      let (kelvin, tint) = (filter.neutralTemperature, filter.neutralTint)
      add(
        "white balance", (1800...20000).contains(kelvin) && abs(tint) <= 100,
        "\(text(kelvin)) K, tint \(text(tint)) as shot")
    } else {
      add("white balance", .skipped, "no colors")
    }
    let isKnown = [FactOrigin.Kind.file, .libRaw, .table].contains(filter.colorOrigin.kind)
    if info.layout == "monochrome" {
      add("colors", .skipped, "a monochrome picture")
    } else {
      add("colors", isKnown, "\(filter.colorOrigin)")
    }

    guard let agreement = try PreviewAgreement(small) else {
      add("preview", .skipped, "none to compare")
      return
    }
    let limits = PreviewAgreement.limits
    add(
      "preview",
      abs(agreement.stops) <= limits.stops && agreement.chroma <= limits.chroma,
      "\(text(Float(agreement.stops))) EV and \(text(Float(agreement.chroma))) in a*b* from the "
        + "camera's, at most \(text(Float(limits.stops))) and \(text(Float(limits.chroma)))")
  }

  private func text(_ value: Float) -> String {
    value.magnitude >= 100 ? "\(Int(value.rounded()))" : String(format: "%.1f", value)
  }

  /// All of it in one paragraph, for a report of a fault.
  public var paragraph: String {
    let name = camera.isEmpty ? file : "\(file) (\(camera))"
    let found = checks.map { "\($0.name) \($0.outcome.rawValue): \($0.detail)" }
    let judgement =
      !isDevelopable
      ? "CANNOT BE DEVELOPED"
      : doubts.isEmpty ? "sound" : "can be developed; DOUBTFUL: \(doubts.joined(separator: ", "))"
    return "\(name): \(judgement). " + found.joined(separator: "; ")
      + ". rawdev \(version)."
  }
}
