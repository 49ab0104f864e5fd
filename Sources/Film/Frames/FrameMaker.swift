import Develop
import Foundation
import HDRRender
import ImageCore
import ImageFilters
import RawFilter
import Readers
import Writers

/// Makes the frames of a film as the encoder takes them. Not synchronized: for one thread.
final class FrameMaker {
  /// A frame that is ready.
  struct Made {
    let bytes: [UInt8]
    let light: CodedContentLight
  }

  private let plan: FilmPlan
  private let clips: [FilmPlan.Clip]
  private let encoding: VideoEncoding
  private let options: FilmOptions
  private let tools: FilmTools
  private var readers: [Int: MovieReader] = [:]
  /// The last one: stills are shown for many frames, and bad ones are held.
  private var last: (frame: FilmPlan.Frame, made: Made)?

  init(
    _ plan: FilmPlan, _ clips: [FilmPlan.Clip], _ encoding: VideoEncoding, _ options: FilmOptions,
    _ tools: FilmTools
  ) {
    (self.plan, self.clips, self.encoding) = (plan, clips, encoding)
    (self.options, self.tools) = (options, tools)
  }

  /// The file of `frame`.
  func path(_ frame: FilmPlan.Frame) -> String {
    let paths = clips[frame.clip].files.paths
    return paths[min(frame.index, paths.count - 1)]
  }

  /// `frame`, or why it cannot be read. Throws where the work is to end.
  func make(_ frame: FilmPlan.Frame) throws -> Result<Made, FilmError> {
    if let last, last.frame == frame { return .success(last.made) }
    do {
      let (picture, active) = try plan.framing.framed(try picture(frame))
      let finite = FiniteSource(picture)
      do {
        let (planes, light) = try encoding.frame(finite, active: active, workers: options.threads)
        let made = Made(bytes: planes.packed(bits: encoding.bits), light: light)
        last = (frame, made)
        return .success(made)
      } catch  where !finite.isFinite {
        return .failure(
          FilmError(.badInput, "it has pixels that are no numbers", path: path(frame)))
      }
    } catch let error as PixelError {
      throw error
    } catch {
      if Cancellation.isCancelled { throw FilmError(.cancelled, "cancelled") }
      if let error = error as? any KindedError {
        guard [.badInput, .cannotRead, .overLimit].contains(error.kind) else { throw error }
        return .failure(FilmError(.badInput, error.message, path: path(frame)))
      }
      return .failure(FilmError(.badInput, "\(error)", path: path(frame)))
    }
  }

  /// The frame that is held for frame `number`, which is bad: the good one before, else behind it.
  func held(for number: Int) throws -> Made? {
    for index in (0..<number).reversed() {
      if case .success(let made) = try make(plan.frames[index]) { return made }
    }
    for index in (number + 1)..<max(plan.frames.count, number + 1) {
      if case .success(let made) = try make(plan.frames[index]) { return made }
    }
    return nil
  }

  private func picture(_ frame: FilmPlan.Frame) throws -> any PixelSource<DisplayReferred> {
    let clip = clips[frame.clip]
    switch clip.content {
    case .raws(let raws):
      return try raws.picture(frame.index, scale: plan.framing.scale(of:))
    case .stills:
      let still = try StillImage(
        contentsOf: URL(fileURLWithPath: clip.files.paths[frame.index]), limits: options.limits)
      return try shown(try still.picture())
    case .movie(let info):
      let reader = readers[frame.clip] ?? MovieReader(path: clip.files.paths[0], info, tools)
      readers[frame.clip] = reader
      guard let image = try reader.frame(frame.index, workers: options.threads) else {
        throw FilmError(
          .badInput, "frame \(frame.index + 1) is missing; the movie is cut",
          path: clip.files.paths[0])
      }
      let picture = try shown(DisplayPicture(image, contentHeadroom: info.headroom))
      return OrientFilter(quarterTurns: info.turns).applied(to: picture)
    }
  }

  /// A finished picture in the range and primaries of the film: as stills are converted.
  private func shown(_ picture: DisplayPicture) throws -> any PixelSource<DisplayReferred> {
    let rendering =
      plan.settings.isHDR
      ? DisplayRendering(.high, displayHeadroom: picture.contentHeadroom)
      : DisplayRendering(.standard, displayHeadroom: 1)
    let converted = PrimariesConversion(rendering(picture), to: plan.settings.primaries)
    return try options.frame.cropped(converted)
  }
}
