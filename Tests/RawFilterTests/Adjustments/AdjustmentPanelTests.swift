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

  /// Sliders lie within the range, with steps of a useful size; only numbers have one.
  @Test func slidersLieWithinTheRange() throws {
    for entry in PanelEntry.all {
      let property = try #require(RAWProperty.named(entry.name))
      guard property.kind == .number else {
        #expect(entry.display == nil, "\(entry.name)")
        continue
      }
      let display = try #require(entry.display, "\(entry.name)")
      #expect(display.from >= Double(property.minimum ?? 0), "\(entry.name)")
      #expect(display.to <= Double(property.maximum ?? 0), "\(entry.name)")
      #expect(display.step > 0 && display.to - display.from >= 5 * display.step, "\(entry.name)")
    }
  }

  /// Ranges that photographers know from other programs.
  @Test func numbersAreShownAsInOtherPrograms() throws {
    func shown(_ name: String) throws -> [Double] {
      let display = try #require(PanelEntry.all.first { $0.name == name }?.display)
      return [display.from * display.factor, display.to * display.factor]
    }
    for name in ["contrast", "highlights", "saturation", "redHue", "blueGray", "vignetteAmount"] {
      #expect(try shown(name) == [-100, 100], "\(name)")
    }
    for name in ["grainAmount", "sharpnessAmount", "shadowSaturation", "gradingBlending"] {
      #expect(try shown(name) == [0, 100], "\(name)")
    }
    #expect(try shown("detailAmount") == [-100, 100])
    #expect(try shown("exposure") == [-5, 5])
    #expect(try shown("neutralTemperature") == [2000, 50_000])
    #expect(try shown("neutralTint") == [-150, 150])
    #expect(try shown("straightenAngle") == [-45, 45])
    #expect(try shown("shadowHue") == [0, 360])
    #expect(try shown("orientation") == [1, 8])
  }
}
