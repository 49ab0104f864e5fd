import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes

/// Writes files from an open input, in this process or in a worker process: by an order, to a
/// target or several, with progress, whose fraction is nil where it is unknown.
typealias FileWork<Order, Target, Report> = (
  _ order: Order, _ target: Target, _ progress: @escaping @Sendable (Double?) -> Void
) throws -> Report

/// An open raw, in this process or in a worker process.
struct OpenedRaw {
  /// What its recipe depends on.
  let info: SourceInfo
  /// Develops it into outputs by their names.
  let develop: FileWork<Developer, [String: OutputDestination], [DevelopReport]>
  /// What it contributes to a series by the order's recipe.
  let seriesFindings: (_ order: Developer) throws -> (findings: SeriesFindings, trust: Int)
}

/// A finished picture that is open.
struct OpenedPicture {
  /// Properties that the default output format depends on.
  let info: FinishedInfo
  /// Converts it, after edits.
  let convert:
    FileWork<(converter: Converter, edits: EditOptions), OutputDestination, PictureReport>
}

extension IsolationOptions {
  /// Opens the raw at `input` in the process that develops it. In this process, notes which of the
  /// `properties` have no effect.
  func openRaw(_ input: String, properties: [String] = []) throws -> OpenedRaw {
    if let developer = try developer {
      let raw = try developer.open(input)
      return OpenedRaw(info: raw.info) { developer, targets, progress in
        let reports = try raw.develop(by: developer, to: targets) { progress($0) }
        note(reports.first?.isolation, about: input)
        return reports
      } seriesFindings: { order in
        try raw.seriesFindings(
          by: order.recipe.raw, colorMatrix: order.colorMatrix, workers: order.workers)
      }
    }
    let filter = try Developer.open(input)
    return OpenedRaw(info: SourceInfo(filter, xxh128: "")) { developer, targets, progress in
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

  /// Opens the finished picture at `input` in the process that converts it.
  func openPicture(_ input: String, policy: ReadPolicy) throws -> OpenedPicture {
    if let developer = try developer {
      let picture = try developer.openPicture(input, policy: policy)
      return OpenedPicture(info: picture.info) { order, target, progress in
        let report = try picture.convert(
          by: order.converter, edits: try order.edits.edits, to: target
        ) { progress($0) }
        note(report.isolation, about: input)
        return report
      }
    }
    let image = try Converter.open(input, policy: policy)
    return OpenedPicture(info: FinishedInfo(image)) { order, target, progress in
      var converter = order.converter
      converter.edits = try order.edits.filters
      return try converter.convert(image, named: input, to: target) { progress($0) }
    }
  }
}
