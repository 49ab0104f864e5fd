import Foundation
import ImageCore
import Testing

@testable import Batch

/// The remedies of a failure survive reports and replies of workers, in both directions between
/// versions.
@Suite struct BatchItemTests {
  private func read(_ json: String) throws -> BatchItem.Failure {
    try JSONLine.decode(BatchItem.Failure.self, Data(json.utf8))
  }

  @Test func remediesOfAFailureAreRead() throws {
    let failure = BatchItem.Failure("timeout", "late; give it time", remedies: [.allowTime])
    let line = try JSONLine.encode(failure)
    #expect(try JSONLine.decode(BatchItem.Failure.self, line) == failure)
    #expect(String(decoding: line, as: UTF8.self).contains(#""remedies":["allowTime"]"#))
  }

  @Test func othersAreLeftOut() throws {
    #expect(try read(#"{"code": "a", "message": "b"}"#).remedies == nil)
    let later = try read(#"{"code": "a", "message": "b", "remedies": ["ofLater"]}"#)
    #expect(later == BatchItem.Failure("a", "b"))
  }

  @Test func lostWorkersSayWhatHelps() {
    func failure(_ lost: WorkerFailure, isOneOfSeveral: Bool = true) -> BatchItem.Failure {
      BatchItem.Failure(
        lost, memoryBytes: 64 << 20, timeoutSeconds: 2, isOneOfSeveral: isOneOfSeveral)
    }
    #expect(failure(.memory).remedies == [.allowMemory])
    #expect(failure(.timeout).remedies == [.allowTime, .reduceJobs])
    #expect(failure(.timeout).message.contains("after 2 s; "))
    #expect(failure(.timeout, isOneOfSeveral: false).remedies == [.allowTime])
    #expect(failure(.nonsense).remedies == nil)
    #expect(WorkerFailure.memory.kind == .overLimit && WorkerFailure.deaf.kind == .overLimit)
  }
}
