import ImageCore

/// One property on one file.
public struct RAWAdjustment: Sendable, Hashable, Codable {
  /// CIRAWFilter's name.
  public let name: String
  /// Whether it has an effect on this file.
  public let isSupported: Bool
  /// Its number or, where it is a toggle, 1 for on and 0 for off; nil for those that are neither.
  public let value: Float?
}

extension RAWFilter {
  /// Every property in the order of ``RAWProperty/all`` with its value on this file. Decodes the
  /// picture, on which defaults depend; where that fails they read neutral values, and
  /// ``resolvedAdjustments()`` says why.
  public var adjustments: [RAWAdjustment] {
    RAWProperty.all.compactMap { property in
      Adjustment.named(property.name).map {
        RAWAdjustment(
          name: $0.name, isSupported: $0.isSupported(by: self), value: $0.number(in: self))
      }
    }
  }
}
