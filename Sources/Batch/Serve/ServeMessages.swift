import Foundation
public import Recipes

/// One request to `rawdev serve`: a JSON object on a line.
public struct ServeRequest: Sendable, Hashable, Codable {
  /// Identifier in replies; unique among the unfinished requests of a connection.
  public var id: String
  /// Absolute path of the raw; a `file:` address for names that are not UTF-8.
  public var `in`: String?
  /// Absolute path of the folder for its outputs; the server's where absent.
  public var folder: String?
  /// Path of its outputs below the folder, without extension; the recipe's name template where
  /// absent.
  public var out: String?
  /// A recipe, which overrides those that the server was started with.
  public var recipe: SourceRecipe?
  /// Whether existing files are replaced; the server's setting where absent.
  public var overwrite: Bool?
  /// Whether to cancel the request with this `id`; all other keys are ignored then.
  public var cancel: Bool?
}

/// One reply of `rawdev serve`: a JSON object on a line; its key `event` names the case.
public enum ServeReply: Sendable, Hashable, Encodable {
  /// `fraction` of a request, 0…1, is done; event `share`.
  case progress(id: String, fraction: Double)
  /// The end of a request, as in the report of a batch.
  case item(BatchItem)
  /// The answer to a line that is not a request, with its `id` where it has one.
  case refused(id: String?, message: String)

  private enum Key: String, CodingKey { case event, id, share, message }

  /// Encodes one line.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .progress(let id, let fraction):
      try values.encode("share", forKey: .event)
      try values.encode(id, forKey: .id)
      try values.encode(fraction, forKey: .share)
    case .item(let item): try BatchEvent.item(item).encode(to: encoder)
    case .refused(let id, let message):
      try values.encode("refused", forKey: .event)
      try values.encodeIfPresent(id, forKey: .id)
      try values.encode(message, forKey: .message)
    }
  }
}
