import ImageCore

/// The output color tables, applied after the tone curve, where tones are final: camera look, point
/// curves, then a look-up table.
package struct DisplayLook: Sendable, Hashable {
  /// The camera's own colors.
  package var start: Lookup?
  /// The curve of all channels.
  package var curve = PointCurve()
  /// The curves of red, green and blue.
  package var channels = [PointCurve(), PointCurve(), PointCurve()]
  package var lookup: Lookup?

  /// A table of colors and how it is used.
  package struct Lookup: Sendable, Hashable {
    package let table: ColorLookup
    /// What its signals mean.
    package let space: LookSpace
    /// How much of its change is applied, 0…1.
    package let amount: Float

    package init(_ table: ColorLookup, space: LookSpace, amount: Float) {
      (self.table, self.space, self.amount) = (table, space, amount)
    }
  }

  /// No change.
  package init() {}

  /// Whether the curves change any value.
  package var hasCurves: Bool { !(curve.isNeutral && channels.allSatisfy(\.isNeutral)) }
}

/// A ``DisplayLook`` as tables; nil for what is left out.
struct DisplayLookTables: Sendable {
  private let start: LookTable?
  private let curve: PointCurveTable?
  private let channels: [PointCurveTable?]
  private let lookup: LookTable?

  /// For rows that `toBT2020` brings to BT.2020, whose largest value is `ceiling`.
  init(_ look: DisplayLook, toBT2020: Matrix3, ceiling: Float) {
    func table(_ curve: PointCurve) -> PointCurveTable? {
      curve.isNeutral ? nil : PointCurveTable(curve)
    }
    curve = table(look.curve)
    channels = look.channels.map(table)
    func table(_ lookup: DisplayLook.Lookup?) -> LookTable? {
      lookup.flatMap {
        $0.amount > 0 ? LookTable($0, toBT2020: toBT2020, ceiling: ceiling) : nil
      }
    }
    start = table(look.start)
    lookup = table(look.lookup)
  }

  /// Changes each pixel of `rows`.
  func apply(_ rows: RGBRows) {
    start?.apply(rows)
    curve?.apply(rows)
    for (plane, channel) in channels.enumerated() { channel?.apply(rows[plane]) }
    lookup?.apply(rows)
  }
}
