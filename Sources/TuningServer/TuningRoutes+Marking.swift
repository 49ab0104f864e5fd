import Develop
import Hummingbird
import HummingbirdCore
import Recipes
import Tuning

/// Stars and picks.
extension TuningRoutes {
  private struct MarkBody: Decodable, Sendable {
    var ids: [PictureID]
    var change: MarkChange

    private enum Key: String, CodingKey { case ids, rating, pick }

    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: Key.self)
      ids = try keys.decode([PictureID].self, forKey: .ids)
      guard keys.contains(.rating) != keys.contains(.pick) else {
        throw RequestRefusal.badRequest("give rating or pick, one of the two")
      }
      if keys.contains(.rating) {
        let rating = try keys.decodeIfPresent(Int.self, forKey: .rating)
        guard rating.map((0...5).contains) ?? true else {
          throw RequestRefusal.badRequest("rating takes 0 to 5, or null")
        }
        change = .rating(rating)
      } else {
        let pick = try keys.decodeIfPresent(String.self, forKey: .pick)
        guard pick == nil || pick.flatMap(PictureMarks.Pick.init) != nil else {
          throw RequestRefusal.badRequest("pick takes picked, rejected, or null")
        }
        change = .pick(pick.flatMap(PictureMarks.Pick.init))
      }
    }
  }

  private struct XMPBody: Decodable, Sendable { var ids: [PictureID] }

  private struct Marked: Encodable {
    var done: [PictureID]
    var failed: [PictureFailure]
  }

  private struct Written: Encodable {
    struct File: Encodable {
      var id: PictureID
      /// Left out where there was nothing to write.
      var path: String?
    }

    var done: [File]
    var failed: [PictureFailure]
  }

  func addMarking(to router: Router<Context>) {
    post(router, "/api/marks", MarkBody.self) { body, _ in
      let failures = await server.edits.mark(body.ids, body.change)
      return try Answers.json(
        Marked(
          done: body.ids.filter { failures[$0] == nil },
          failed: PictureFailure.all(of: body.ids, failures)))
    }
    post(router, "/api/marks/xmp", XMPBody.self) { body, _ in
      let (paths, failures) = await server.edits.writeXMP(body.ids)
      return try Answers.json(
        Written(
          done: body.ids.filter { failures[$0] == nil }
            .map { Written.File(id: $0, path: paths[$0]?.shown) },
          failed: PictureFailure.all(of: body.ids, failures)))
    }
  }
}
