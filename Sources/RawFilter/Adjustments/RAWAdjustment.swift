import ImageCore

/// One property on one file.
public struct RAWAdjustment: Sendable, Hashable, Codable {
  /// CIRAWFilter's name.
  public let name: String
  /// Whether it has an effect on this file.
  public let isSupported: Bool
  /// Its number, or 1 and 0 for a toggle that is on or off; nil for other kinds.
  public let value: Float?
}

extension RAWFilter {
  /// Every property in the order of ``RAWProperty/all`` with its value on this file. Decodes the
  /// picture, because defaults depend on it; if that fails, defaults read as neutral, and
  /// ``resolvedAdjustments()`` throws the reason.
  public var adjustments: [RAWAdjustment] {
    RAWProperty.all.compactMap { property in
      Adjustment.named(property.name).map {
        RAWAdjustment(
          name: $0.name, isSupported: $0.isSupported(by: self), value: $0.number(in: self))
      }
    }
  }
}
