import Foundation
import Recipes

/// One request to `rawdev serve`: a JSON object a line.
public struct ServeRequest: Sendable, Hashable, Codable {
  /// What replies call it; unique among the requests of a connection that are not done.
  public var id: String
  /// The raw: a path, or a `file:` address for names that are not UTF-8.
  public var `in`: String?
  /// Folder for its outputs.
  public var folder: String?
  /// Place and name of its outputs below the folder, without extension; the recipe's template where absent.
  public var out: String?
  /// A recipe by name or path, or its values; above those that the server was started with.
  public var recipe: ManifestEntry.Recipe?
  /// Whether files that are there are replaced; false where absent.
  public var overwrite: Bool?
  /// Whether the request with this id is to end instead.
  public var cancel: Bool?
}

/// What `rawdev serve` answers: a JSON object a line, told apart by its key `event`.
public enum ServeReply: Sendable, Hashable, Encodable {
  /// How far a request is.
  case progress(id: String, fraction: Double)
  /// What became of a request, as in the report of a batch.
  case item(BatchItem)
  /// A line that is no request.
  case refused(id: String?, message: String)

  private enum Key: String, CodingKey { case event, id, share, message }

  /// Writes one line.
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
