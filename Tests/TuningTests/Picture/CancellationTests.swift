import Foundation
import ImageCore
import RawFilter
import Synchronization
import Testing

@testable import Tuning

@Suite(.serialized) struct CancellationTests {
  /// Holds a rendering up in its middle.
  private final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(true)
    private let isReached = Atomic<Bool>(false)

    func close() {
      isReached.store(false, ordering: .sequentiallyConsistent)
      isOpen.store(false, ordering: .sequentiallyConsistent)
    }
    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }
    /// Called by the rendering.
    func pass() {
      guard !isOpen.load(ordering: .sequentiallyConsistent) else { return }
      isReached.store(true, ordering: .sequentiallyConsistent)
      while !isOpen.load(ordering: .sequentiallyConsistent) { sched_yield() }
    }
    func reached() async {
      while !isReached.load(ordering: .sequentiallyConsistent) { await Task.yield() }
    }
  }

  private static func session(_ scene: TuningScene, _ gate: Gate) throws -> TuningSession {
    var filter = try RAWFilter(url: URL(fileURLWithPath: scene.path))
    filter.linearSpaceFilter = { pixels in
      gate.pass()
      return pixels
    }
    return TuningSession(filter)
  }

  private static func exposed(_ stops: Float) -> TuningRequest {
    var settings = RAWSettings()
    settings.exposure = stops
    return .full(settings)
  }

  @Test func theLatestRequestOfAViewerWins() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let gate = Gate()
    let session = try Self.session(scene, gate)
    gate.close()
    let first = Task { try await session.picture(Self.exposed(0.1), viewer: "main") }
    await gate.reached()
    let rendered = await session.latest["main"]
    // These wait after it, and replace each other.
    var waiting: [Task<TuningPicture, any Error>] = []
    var newest = rendered
    for stops in [0.2, 0.3, 0.4] as [Float] {
      waiting.append(Task { try await session.picture(Self.exposed(stops), viewer: "main") })
      while await session.latest["main"] === newest { await Task.yield() }
      newest = await session.latest["main"]
    }
    let other = Task { try await session.picture(Self.exposed(1), viewer: "compare") }
    #expect(rendered?.isCancelled == true)
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    let last = try await waiting[2].value
    let truth = try await Self.session(scene, Gate()).picture(Self.exposed(0.4), viewer: "main")
    let isLast = last.bytes == truth.bytes
    #expect(isLast)
    #expect(try await other.value.size == scene.size)
    #expect(await session.latest.isEmpty)
  }

  @Test func aCancelledTaskEndsItsRendering() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let gate = Gate()
    let session = try Self.session(scene, gate)
    gate.close()
    let task = Task { try await session.picture(Self.exposed(0), viewer: "main") }
    await gate.reached()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await session.picture(Self.exposed(0), viewer: "main").size == scene.size)
  }

  @Test func whatIsCancelledWhileItWaitsNeverBegins() async throws {
    let queue = RenderQueue()
    let gate = Gate()
    gate.close()
    let running = Task { try await queue.run { gate.pass() } }
    await gate.reached()
    let job = Cancellation()
    let began = Mutex(false)
    let waiting = Task { try await queue.run(job) { began.withLock { $0 = true } } }
    job.cancel()
    gate.open()
    try await running.value
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!began.withLock { $0 })
  }

  @Test func aCancelledPictureIsNotCachedInPart() async throws {
    let scene = try TuningScene(
      PixelSize(width: 640, height: 448), noise: 1e-4, pixels: TuningScene.busy)
    var filter = try RAWFilter(url: URL(fileURLWithPath: scene.path))
    (filter.scaleFactor, filter.keepsReduced) = (0.3, true)
    let plan = try filter.plan()
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: PixelError.cancelled) { try cancellation.run { try plan.keep(.detailed) } }
    #expect(!plan.isDetailedKept)
    try plan.keep(.detailed)
    #expect(plan.isDetailedKept)
    let fresh = try RAWFilter(url: URL(fileURLWithPath: scene.path))
    var other = fresh
    other.scaleFactor = 0.3
    let (cached, truth) = (
      try await filter.outputImage().image, try await other.outputImage().image
    )
    for y in 0..<truth.size.height {
      for x in 0..<truth.size.width { #expect(cached[x, y] == truth[x, y]) }
    }
  }
}
