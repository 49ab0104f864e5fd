import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct DisplayStateTests {
  private func display(_ headroom: Double) -> DisplayInfo {
    DisplayInfo(potentialHeadroom: 16, currentHeadroom: headroom)
  }

  @Test func listenersHearTheStateAndEachChange() async {
    let state = DisplayState(display(2))
    var changes = state.changes().makeAsyncIterator()
    #expect(await changes.next()?.currentHeadroom == 2)
    for headroom in [4.0, 3, 16] {
      state.update(display(headroom))
      #expect(await changes.next()?.currentHeadroom == headroom)
      #expect(state.display.currentHeadroom == headroom)
    }
  }

  /// The same state is no change, and who is slow hears of the last one.
  @Test func onlyTheLastChangeWaits() async {
    let state = DisplayState(display(2))
    var changes = state.changes().makeAsyncIterator()
    state.update(display(2))
    for headroom in [5.0, 6, 7] { state.update(display(headroom)) }
    state.update(display(7))
    #expect(await changes.next()?.currentHeadroom == 7)
  }

  @Test func everyListenerIsNotifiedAndTheStreamEndsWithTheState() async {
    var state: DisplayState? = DisplayState(display(2))
    let streams = [state?.changes(), state?.changes()].compactMap { $0 }
    #expect(streams.count == 2)
    state?.update(display(9))
    state = nil
    for stream in streams {
      var heard: [Double] = []
      for await display in stream { heard.append(display.currentHeadroom) }
      #expect(heard == [9])
    }
  }
}
