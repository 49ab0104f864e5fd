import ImageCore
import Testing

@Suite struct StageRecorderTests {
  /// A picture that costs something.
  private struct Waves: PixelSource {
    typealias State = CameraRGB
    let size = PixelSize(width: 3400, height: 700)
    var info: CameraRGB.Info { CameraRGB.Info() }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try buffer.reshape(rect.size)
      MeasuredStage.levels.measure {
        for plane in 0..<3 {
          for y in 0..<rect.height {
            buffer.withRow(plane, y) { row in
              for x in 0..<rect.width { row[x] = Float((rect.x + x) ^ (rect.y + y)) }
            }
          }
        }
      }
    }
  }

  private func code(_ picture: some PixelSource<CameraRGB>, workers: Int) throws {
    try PictureBands(picture, workers: workers).forEach { _, _ in
      try MeasuredStage.encode.measure { try Parallel.forEach(count: 3, workers: 2) { _, _ in } }
    } consume: { _, _ in
    }
  }

  private func recorded(workers: Int) throws -> StageRecorder {
    let recorder = StageRecorder(keepsSpans: true)
    try recorder.record {
      let picture = Waves().measured(as: .demosaic)
      try MeasuredStage.codes.measure { try code(picture, workers: workers) }
    }
    return recorder
  }

  @Test(arguments: [1, 2, 5]) func stagesAddUpToTheThreads(workers: Int) throws {
    let recorder = try recorded(workers: workers)
    let cpu = recorder.cpu
    #expect(Set(cpu.keys) == [.other, .demosaic, .levels, .codes, .encode])
    #expect(cpu.values.allSatisfy { $0 >= 0 })
    #expect(cpu[.levels, default: 0] > 0)
    // To the nanosecond: "run" is the calling thread, "thread" each of the others.
    let threads = recorder.spans.filter { ["run", "thread"].contains($0.name) }
    #expect(cpu.values.reduce(0, +) == threads.reduce(0) { $0 + $1.cpu })
  }

  @Test func spansNestAndSayWhatTheyAreOf() throws {
    let recorder = try recorded(workers: 3)
    let spans = recorder.spans
    for thread in Set(spans.map(\.thread)) {
      var open: [StageRecorder.Span] = []
      for span in spans.filter({ $0.thread == thread })
        .sorted(by: { ($0.start, -$0.duration) < ($1.start, -$1.duration) })
      {
        #expect(span.duration >= 0 && span.cpu >= 0)
        open.removeAll { $0.start + $0.duration <= span.start }
        if let outer = open.last {
          #expect(span.start + span.duration <= outer.start + outer.duration)
        }
        open.append(span)
      }
    }
    let size = Waves().size
    let area = spans.filter { $0.name == "demosaic" }.reduce(0) { sum, span in
      sum + span.details["width", default: 0] * span.details["height", default: 0]
    }
    #expect(area == size.area)
    let pieces = spans.filter { $0.name == "piece" }
      .map { [$0.details["lane"], $0.details["step"]] }
    #expect(Set(pieces).count == pieces.count && pieces.count > 1)
    let bands = try #require(spans.first { $0.name == "bands" })
    #expect(bands.details["bands"] == spans.count { $0.name == "band" })
  }

  @Test func nothingIsWrappedWhereNothingIsRecorded() throws {
    #expect(Waves().measured(as: .tone) is Waves)
    let recorder = StageRecorder()
    try recorder.record {
      let once = Waves().measured(as: .tone)
      #expect(!(once is Waves))
      // A stage that does nothing has no row.
      try once.measured(as: .look).read(PixelRect(x: 0, y: 0, width: 8, height: 1), into: pixels)
    }
    #expect(recorder.cpu[.look] == nil && recorder.cpu[.tone] != nil)
    #expect(recorder.spans.isEmpty)
  }

  private let pixels = PlanarBuffer()
}
