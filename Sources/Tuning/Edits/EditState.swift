import Foundation
package import Recipes

/// Where the edit of a picture is stored so far.
package struct EditStatus: Sendable, Hashable, Codable {
  /// Where it is.
  package enum Keeping: String, Sendable, Codable {
    /// The sidecar gives it.
    case sidecar
    /// It is about to be saved.
    case waiting
    /// In the journal alone, until a person says that it be saved, or since the folder cannot be
    /// written.
    case journal
    /// In the journal, as it could not be saved; tried again.
    case failed
    /// In the journal, as somebody else set the same properties to other values.
    case conflict
  }

  /// What somebody else set meanwhile.
  package struct Conflict: LocalizedError, Sendable, Hashable, Codable {
    /// The properties that both set.
    package var names: [String]
    /// The values of the sidecar.
    package var theirs: [String: RecipeValue]
    /// Of the sidecar; a decision holds for that one.
    package var revision: String

    /// What happened, for people.
    package var errorDescription: String? {
      "\(names.joined(separator: ", ")): somebody else set it meanwhile"
    }
    /// What to do next.
    package var recoverySuggestion: String? { "choose whose value stays" }
  }

  /// The picture.
  package var id: PictureID
  /// Its name below the folder.
  package var name: String
  /// Changes with each step.
  package var version: Int
  /// Where the values of now are.
  package var keeping: Keeping
  /// Whether the edit gives any value.
  package var isSet = false
  /// Why they are not in the sidecar, one line.
  package var error: String?
  /// What is to be decided before they can be.
  package var conflict: Conflict?
  /// Of the sidecar, as it was last seen.
  package var revision: String?
  /// Whether the folder of the picture cannot be written.
  package var isReadOnly = false
  /// Why the journal does not take what is done; nil where it does.
  package var journalProblem: String?
}

/// What is set on a picture, and by which steps it came to that.
package struct Edit: Sendable, Hashable, Codable {
  /// Where it is stored so far.
  package var status: EditStatus
  /// The values that the sidecar is to give.
  package var own: [String: RecipeValue]
  /// The values on which it and the edit last agreed.
  package var saved: [String: RecipeValue]
  /// The steps, the oldest first; the first is how the picture was found.
  package var steps: [EditStep]
  /// The index of the current step.
  package var at: Int
}

/// Why an edit does not take a step.
package enum EditRefusal: LocalizedError, Sendable, CustomStringConvertible {
  /// Another page set the same properties, of these names, meanwhile; with what is set now.
  case changed([String], Edit)
  /// The step to go to is not remembered.
  case unknownStep

  /// What happened and what to do next, one line.
  package var description: String {
    switch self {
    case .changed(let names, _):
      "\(names.joined(separator: ", ")): another page set it meanwhile; choose whose value stays"
    case .unknownStep: "this step is no longer in the history; reload the page"
    }
  }

  /// The complete `description`.
  package var errorDescription: String? { description }
}

/// How a conflict with a sidecar is decided.
package struct EditDecision: Sendable {
  /// Whose values stay.
  package enum Side: String, Sendable, Codable { case mine, theirs }

  /// Whose values stay.
  package var side: Side
  /// The revision of the sidecar that was looked at.
  package var revision: String

  /// A decision about the sidecar of `revision`.
  package init(_ side: Side, revision: String) { (self.side, self.revision) = (side, revision) }
}
