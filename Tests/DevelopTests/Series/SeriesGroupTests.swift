import RawFilter
import Testing

@testable import Develop

@Suite struct SeriesGroupTests {
  static func key(_ red: Double, _ camera: String = "A") -> SeriesKey {
    SeriesKey(
      SeriesFrame(camera: camera, light: [red, -0.5], isFlash: false), RAWSettings(),
      colorMatrix: nil)
  }

  private func file(_ keys: [SeriesKey]) -> SeriesFile {
    var file = SeriesFile()
    file.entries = keys.map { SeriesEntry($0, source: "", SeriesFindings()) }
    return file
  }

  /// Illumination that drifts: the first frame founds a group, in any order of the rest.
  private let frames = [
    key(-1), key(-1.1), key(-1, "B"), key(-1.2), key(-1.3), key(-0.9), key(-1.16), key(-1, "B"),
  ].enumerated().map { (index: $0.offset, key: $0.element) }

  @Test func framesJoinTheFirstGroupOfTheirLight() {
    let groups = SeriesGroup.groups(of: frames, in: SeriesFile())
    #expect(groups.map(\.frames) == [[0, 1, 5], [2, 7], [3, 4, 6]])
    #expect(groups.map(\.key) == [Self.key(-1), Self.key(-1, "B"), Self.key(-1.2)])
  }

  /// The entries of the groups are those that the frames then find, and no further one is lacking.
  @Test func entriesHoldForTheFramesOfTheirGroup() {
    let groups = SeriesGroup.groups(of: frames, in: SeriesFile())
    let made = file(groups.map(\.key))
    #expect(SeriesGroup.groups(of: frames, in: made).isEmpty)
    for group in groups {
      for frame in group.frames { #expect(made.entry(of: frames[frame].key)?.key == group.key) }
    }
  }

  /// Frames that have an entry found no group; the others do as in their order.
  @Test func entriesThatAreThereStay() {
    let groups = SeriesGroup.groups(of: frames, in: file([Self.key(-1.15)]))
    #expect(groups.map(\.frames) == [[2, 7], [5]])
  }

  @Test func theFirstPreviewThatIsBelievedDecides() {
    func decided(_ trusts: [Int]) -> (source: String?, tried: Int) {
      var (decision, tried) = (SeriesDecision(), 0)
      for (index, trust) in trusts.enumerated() where !decision.isMade {
        tried += 1
        decision.add(SeriesFindings(), trust: trust, source: "\(index)")
      }
      return (decision.entry(of: Self.key(0))?.source, tried)
    }
    #expect(decided([2, 2]) == ("0", 1))
    #expect(decided([0, 1, 0, 1, 2, 2]) == ("4", 5))
    #expect(decided([0, 1, 1]) == ("1", 3))
    #expect(decided([0, 0]) == ("0", 2))
    #expect(decided([]) == (nil, 0))
    #expect(decided([0, 0, 0, 0, 0, 1, 0, 0, 2]) == ("5", 8))
  }
}
