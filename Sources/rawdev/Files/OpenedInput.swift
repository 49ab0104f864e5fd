import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes

/// What makes files of an input that is open, in this process or in a worker process of its own:
/// by an order, to a target or several, with progress, whose fraction is nil where it is not known.
typealias FileWork<Order, Target, Report> = (
  _ order: Order, _ target: Target, _ progress: @escaping @Sendable (Double?) -> Void
) throws -> Report

/// A raw that is open: who develops it does not ask where that is done.
struct OpenedRaw {
  /// What its recipe depends on.
  let facts: SourceFacts
  /// Develops it into outputs by their names.
  let develop: FileWork<Developer, [String: OutputDestination], [DevelopReport]>
  /// What it gives to a series by the order's recipe.
  let seriesFindings: (_ order: Developer) throws -> (findings: SeriesFindings, trust: Int)
}

/// A finished picture that is open.
struct OpenedPicture {
  /// What the format of the output depends on by default.
  let facts: FinishedFacts
  /// Converts it, after edits.
  let convert:
    FileWork<(converter: Converter, edits: EditOptions), OutputDestination, PictureReport>
}

extension IsolationOptions {
  /// Opens the raw at `input` where it is to be developed. What is developed here says which of the
  /// `properties` have no effect.
  func openRaw(_ input: String, properties: [String] = []) throws -> OpenedRaw {
    if let developer = try developer {
      let raw = try developer.open(input)
      return OpenedRaw(facts: raw.facts) { developer, targets, progress in
        let reports = try raw.develop(by: developer, to: targets) { progress($0) }
        note(reports.first?.isolation, about: input)
        return reports
      } seriesFindings: { order in
        try raw.seriesFindings(
          by: order.recipe.raw, colorMatrix: order.colorMatrix, workers: order.workers)
      }
    }
    let filter = try Developer.open(input)
    return OpenedRaw(facts: SourceFacts(filter, xxh128: "")) { developer, targets, progress in
      let idle = developer.reasonsWithoutEffect(properties, on: filter, called: RAWOptions.called)
      for (property, reason) in idle {
        Terminal.note("\(RAWOptions.called(property)) has no effect: \(reason)", about: input)
      }
      return try developer.develop(filter, named: input, to: targets) {
        switch $0 {
        case .decoding: progress(nil)
        case .rendering(let fraction): progress(fraction)
        }
      }
    } seriesFindings: { order in
      try Developer.seriesFindings(
        filter, by: order.recipe.raw, colorMatrix: order.colorMatrix, workers: order.workers)
    }
  }

  /// Opens the finished picture at `input` where it is to be converted.
  func openPicture(_ input: String, policy: ReadPolicy) throws -> OpenedPicture {
    if let developer = try developer {
      let picture = try developer.openPicture(input, policy: policy)
      return OpenedPicture(facts: picture.facts) { order, target, progress in
        let report = try picture.convert(
          by: order.converter, edits: try order.edits.edits, to: target
        ) { progress($0) }
        note(report.isolation, about: input)
        return report
      }
    }
    let image = try Converter.open(input, policy: policy)
    return OpenedPicture(facts: FinishedFacts(image)) { order, target, progress in
      var converter = order.converter
      converter.edits = try order.edits.filters
      return try converter.convert(image, named: input, to: target) { progress($0) }
    }
  }
}
