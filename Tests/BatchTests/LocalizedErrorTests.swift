import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Readers
import Recipes
import Testing

@testable import Batch
@testable import Develop

/// What people are shown of errors.
@Suite struct LocalizedErrorTests {
  private static let errors: [any Error] = [
    GainMapError(.damaged, "it ends early; copy it again"),
    OperatorError("blur", "the radius is -1; it takes 0 and more"),
    RAWError(.damaged, .open, "the file ends early; copy it again", path: "a.raw"),
    ReadError(.damaged, "the file ends early; copy it again", path: "a.png"),
    WriteError(.exists, "exists already; name another file", path: "a.png"),
    RecipeError(.malformed, "this is no YAML; write some", path: "a.yaml"),
    DevelopError.cancelled(path: "a.raw"),
    DevelopError.raw(RAWError(.damaged, .open, "the file ends early; copy it again")),
    PlanError(.badSetting, "the name is too long; take a shorter one"),
    BatchError(.exists, "exists; name another folder"),
    IsolationError("crashed", .badInput, "the decoder crashed; copy it again", path: "a.raw"),
  ]

  @Test func describeWhatHappenedAndWhatToDo() throws {
    for error in Self.errors {
      let shown = try #require(error as? any LocalizedError, "\(type(of: error))")
      // As a program shows it, and not by the number of a case.
      #expect(error.localizedDescription == "\(error)" && !"\(error)".isEmpty)
      #expect(shown.failureReason?.isEmpty == false && shown.recoverySuggestion?.isEmpty == false)
    }
    let error = WriteError(.exists, "exists already; name another file", path: "a.png")
    #expect(error.localizedDescription == "a.png: exists already; name another file")
    #expect(error.failureReason == "exists already")
    #expect(error.recoverySuggestion == "name another file")
  }

  @Test func faultsOfXMPDo() {
    let fault = #expect(throws: XMPFault.self) { try XMPPacket(wellFormed: []) }
    #expect(fault?.localizedDescription == fault?.message && fault?.message.isEmpty == false)
  }
}
