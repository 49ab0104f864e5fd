public import Foundation
public import Recipes

/// Where the edit of a picture is stored so far.
public struct EditStatus: Sendable, Hashable, Codable {
  /// Where it is.
  public enum Keeping: String, Sendable, Codable {
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
  public struct Conflict: LocalizedError, Sendable, Hashable, Codable {
    /// The properties that both set.
    public var names: [String]
    /// The values of the sidecar.
    public var theirs: [String: RecipeValue]
    /// Of the sidecar; a decision holds for that one.
    public var revision: String

    /// What happened, for people.
    public var errorDescription: String? {
      "\(names.joined(separator: ", ")): somebody else set it meanwhile"
    }
    /// What to do next.
    public var recoverySuggestion: String? { "choose whose value stays" }
  }

  /// The picture.
  public var id: PictureID
  /// Its name below the folder.
  public var name: String
  /// Changes with each step.
  public var version: Int
  /// Where the values of now are.
  public var keeping: Keeping
  /// Whether the edit gives any value.
  public var isSet = false
  /// Why they are not in the sidecar, one line.
  public var error: String?
  /// What is to be decided before they can be.
  public var conflict: Conflict?
  /// Of the sidecar, as it was last seen.
  public var revision: String?
  /// Whether the folder of the picture cannot be written.
  public var isReadOnly = false
  /// Why the journal does not take what is done; nil where it does.
  public var journalProblem: String?
}

/// What is set on a picture, and by which steps it came to that.
public struct Edit: Sendable, Hashable, Codable {
  /// Where it is stored so far.
  public var status: EditStatus
  /// The values that the sidecar is to give.
  public var own: [String: RecipeValue]
  /// The values on which it and the edit last agreed.
  public var saved: [String: RecipeValue]
  /// The steps, the oldest first; the first is how the picture was found.
  public var steps: [EditStep]
  /// The index of the current step.
  public var at: Int
}

/// Why an edit does not take a step.
public enum EditRefusal: LocalizedError, Sendable, CustomStringConvertible {
  /// Another page set the same properties, of these names, meanwhile; with what is set now.
  case changed([String], Edit)
  /// The step to go to is not remembered.
  case unknownStep

  /// What happened and what to do next, one line.
  public var description: String {
    switch self {
    case .changed(let names, _):
      "\(names.joined(separator: ", ")): another page set it meanwhile; choose whose value stays"
    case .unknownStep: "this step is no longer in the history; reload the page"
    }
  }

  /// The complete `description`.
  public var errorDescription: String? { description }
}

/// How a conflict with a sidecar is decided.
public struct EditDecision: Sendable {
  /// Whose values stay.
  public enum Side: String, Sendable, Codable { case mine, theirs }

  /// Whose values stay.
  public var side: Side
  /// The revision of the sidecar that was looked at.
  public var revision: String

  /// A decision about the sidecar of `revision`.
  public init(_ side: Side, revision: String) { (self.side, self.revision) = (side, revision) }
}
