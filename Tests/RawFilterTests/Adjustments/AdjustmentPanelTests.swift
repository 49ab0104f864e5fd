import Testing

@testable import RawFilter

@Suite struct AdjustmentPanelTests {
  /// Each adjustment has one entry, and titles are unique within a section.
  @Test func everyAdjustmentHasOnePlace() {
    let entries = PanelEntry.all
    #expect(Set(entries.map(\.name)).count == entries.count)
    #expect(Set(entries.map(\.name)) == Set(RAWProperty.all.map(\.name)))
    let titles = entries.map { [$0.group.rawValue, $0.family ?? "", $0.title] }
    #expect(Set(titles).count == titles.count)
  }

  /// Groups and folds are not torn apart.
  @Test func placesStandInOrder() {
    func runs(_ keys: [String]) -> [String] {
      keys.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
    let groups = runs(PanelEntry.all.map(\.group.rawValue))
    #expect(groups == PanelEntry.Group.allCases.map(\.rawValue))
    let folds = runs(PanelEntry.all.map { "\($0.group) \($0.family ?? $0.name)" })
    #expect(Set(folds).count == folds.count)
  }
}
