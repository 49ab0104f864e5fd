import Containers
import ImageCore

/// A camera setting that records the raw darker than metered to preserve highlights, and brightens
/// the camera's own picture to compensate.
///
/// Sources: tags and values from ExifTool's documentation. Stops are the amounts by which the maker
/// raises the lowest ISO speed with the setting: Canon's highlight tone priority and Pentax's
/// highlight correction 1, Fujifilm's DR200 and weak D-Range Priority 1, DR400 and strong 2.
/// Nikon's Active D-Lighting, Olympus's gradation and Panasonic's i.Dynamic may record darker by
/// undocumented amounts. Canon's Auto Lighting Optimizer and Sony's Dynamic Range Optimizer
/// brighten only the camera's own picture: the makers' converters apply them afterwards. If several
/// are on, the one with known stops applies. Known failures: underexposure without a tag, as in HLG
/// modes; Fujifilm's DR800 of merged pictures, whose stops are unknown; see also
/// `MakerNoteDirectory`.
public struct HiddenUnderexposure: Sendable, Hashable, Codable {
  /// The maker's name of the feature.
  public var feature: String
  /// The value of the setting, in the maker's terms.
  public var setting: String
  /// Stops by which the raw is darker; nil if unknown.
  public var stops: Double?

  init(_ feature: String, _ setting: String, stops: Double? = nil) {
    (self.feature, self.setting, self.stops) = (feature, setting, stops)
  }

  /// Whether it affects only the camera's own picture, and the raw is recorded as metered.
  package var isOfPictureAlone: Bool {
    [Self.canonOptimizer, Self.sonyOptimizer].contains(feature)
  }

  private static let canonOptimizer = "Auto Lighting Optimizer"
  private static let sonyOptimizer = "Dynamic Range Optimizer"

  /// The name and the setting.
  public var description: String { "\(feature) (\(setting))" }

  /// Reads the setting from `note`; nil if it has none.
  init?(_ note: MakerNoteDirectory) {
    let found: HiddenUnderexposure? =
      switch note.maker {
      case .canon: Self.canon(note)
      case .fujifilm: Self.fujifilm(note)
      case .nikon:
        Self.named("Active D-Lighting", Self.lightings, note.number(0x22))
      case .sony:
        Self.named(Self.sonyOptimizer, Self.optimizers, note.number(0xB025))
      case .panasonic: Self.named("i.Dynamic", Self.levels, note.number(0x79))
      case .pentax: Self.pentax(note)
      case .olympus: Self.olympus(note)
      }
    guard let found else { return nil }
    self = found
  }

  private static func named(
    _ feature: String, _ names: [Int: String], _ value: Int?
  ) -> HiddenUnderexposure? {
    value.flatMap { names[$0] }.map { HiddenUnderexposure(feature, $0) }
  }

  private static let lightings = [
    1: "low", 3: "normal", 5: "high", 7: "extra high", 8: "extra high 1", 9: "extra high 2",
    10: "extra high 3", 11: "extra high 4", 0xFFFF: "automatic",
  ]
  private static let optimizers = [
    1: "standard", 2: "advanced automatic", 3: "automatic", 8: "level 1", 9: "level 2",
    10: "level 3", 11: "level 4", 12: "level 5", 16: "level 1", 17: "level 2", 18: "level 3",
    19: "level 4", 20: "level 5",
  ]
  private static let levels = [1: "low", 2: "standard", 3: "high"]

  /// LightingOpt, with a leading count; in older cameras the custom function 0x203.
  private static func canon(_ note: MakerNoteDirectory) -> HiddenUnderexposure? {
    let priority = note.number(0x4018, 3) ?? customFunction(0x203, note.integers(0x99))
    if let priority, let setting = [1: "on", 2: "enhanced"][priority] {
      return HiddenUnderexposure("Highlight Tone Priority", setting, stops: 1)
    }
    return named(
      canonOptimizer, [0: "standard", 1: "low", 2: "strong"], note.number(0x4018, 2))
  }

  /// The value of `function` in `list`: size and number of groups; for each group its number, size
  /// and number of functions; for each function its number, its number of values, and the values.
  private static func customFunction(_ function: Int, _ list: [Int]?) -> Int? {
    guard let list else { return nil }
    var rest = list.dropFirst()
    for _ in 0..<max(rest.popFirst() ?? 0, 0) {
      guard let count = rest.dropFirst(2).first else { return nil }
      rest = rest.dropFirst(3)
      for _ in 0..<max(count, 0) {
        guard let number = rest.popFirst(), let values = rest.popFirst(), values >= 0 else {
          return nil
        }
        if number == function { return values > 0 ? rest.first : nil }
        rest = rest.dropFirst(values)
      }
    }
    return nil
  }

  /// DynamicRangeSetting selects AutoDynamicRange or DevelopmentDynamicRange.
  private static func fujifilm(_ note: MakerNoteDirectory) -> HiddenUnderexposure? {
    let (manual, automatic) = (note.number(0x1403), note.number(0x140B))
    let isAutomatic = note.number(0x1402) == 0
    let percent = (isAutomatic ? automatic ?? manual : manual ?? automatic) ?? 100
    if percent > 100 {
      return HiddenUnderexposure(
        "Dynamic Range", "\(percent) %\(isAutomatic ? ", automatic" : "")",
        stops: [200: 1, 400: 2][percent])
    }
    let priority = note.number(0x1443) == 1 ? note.number(0x1445) : note.number(0x1444)
    guard let priority, let setting = [1: "weak", 2: "strong", 3: "plus"][priority] else {
      return nil
    }
    return HiddenUnderexposure("D-Range Priority", setting, stops: [1: 1, 2: 2][priority])
  }

  /// DynamicRangeExpansion: whether it was applied, and whether it is automatic.
  private static func pentax(_ note: MakerNoteDirectory) -> HiddenUnderexposure? {
    guard note.number(0x69) == 1 else { return nil }
    return HiddenUnderexposure(
      "Highlight Correction", note.number(0x69, 1) == 2 ? "automatic" : "on", stops: 1)
  }

  /// Gradation in CameraSettings: the key, its range, whether it is automatic.
  private static func olympus(_ note: MakerNoteDirectory) -> HiddenUnderexposure? {
    guard let values = note.integers(0x50F, in: 0x2020), values.count > 2 else { return nil }
    if values.count > 3, values[3] == 1 { return HiddenUnderexposure("Gradation", "automatic") }
    return values[0] == 1 ? HiddenUnderexposure("Gradation", "high key") : nil
  }
}

extension RawFile {
  /// The setting by which the camera recorded darker than metered; nil if not declared. Reads the
  /// maker note.
  package var hiddenUnderexposure: HiddenUnderexposure? {
    MakerNoteDirectory(bytes, tiff).flatMap { HiddenUnderexposure($0) }
  }
}
