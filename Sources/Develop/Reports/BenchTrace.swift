public import Formats
import Foundation
import ImageCore

extension BenchReport {
  /// Writes the activity of each thread in the reported run to `destination`, in Chrome's trace
  /// format, for chrome://tracing and Perfetto. Needs a report made with `traces`.
  ///
  /// Source: "Trace Event Format" (Google): a JSON object of complete events, `ph` "X", with `ts`
  /// and `dur` in microseconds from the first event. A stage has an event for each rectangle, whose
  /// `args` give its position. Threads work on common regions: `bands` of a picture, in `piece`s,
  /// of which the last of a `band` encodes it, and then `consumed` in order; `loop`s of `item`s.
  /// Their `args` give the region and the order. `cpu` is the CPU time of the thread in an event,
  /// microseconds.
  public func writeTrace(to destination: OutputDestination) throws(DevelopError) {
    let first = trace.map(\.start).min() ?? 0
    let events = trace.map { span in
      var arguments = span.details.mapValues(Double.init)
      arguments["cpu"] = Double(span.cpu) / 1000
      return Event(
        name: span.name, ts: Double(span.start - first) / 1000, dur: Double(span.duration) / 1000,
        pid: 1, tid: span.thread, args: arguments)
    }.sorted { ($0.ts, -$0.dur) < ($1.ts, -$1.dur) }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let json = try encoder.encode(Trace(traceEvents: events))
      _ = try destination.write(OutputContent("JSON", ["json"]), chunks: [Array(json)])
    } catch {
      throw DevelopError(error, path: destination.name)
    }
  }

  private struct Trace: Encodable {
    var displayTimeUnit = "ms"
    let traceEvents: [Event]
  }

  private struct Event: Encodable {
    let name: String
    var cat = "stage"
    var ph = "X"
    let ts, dur: Double
    let pid, tid: Int
    let args: [String: Double]
  }
}
