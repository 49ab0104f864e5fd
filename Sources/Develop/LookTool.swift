public import Formats
import Foundation
import RawFilter

/// Makes a camera's look from pictures of the camera's own in raws: the work of `rawdev profile
/// --from-previews`.
///
/// One mapping from our standard rendering to the previews of all pictures (`CameraLookStudy`), as
/// a `.rawlook` file or a cube of colors. It is judged on pictures that it was not made of.
public struct LookTool: Sendable {
  /// What is written.
  public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
    /// A `.rawlook` file, for `lutPath`.
    case rawlook
    /// A `.cube` file of sRGB for other programs, for pictures as rendered by standard.
    case cube
  }

  /// What is written.
  public var format = Format.rawlook
  /// The name of the look; nil for that of the camera and the style.
  public var name: String?
  /// The camera's picture style that the previews have, as its user calls it.
  public var style: String?

  /// A tool that writes `.rawlook` files.
  public init() {}

  /// Reads the raws at `inputs` and writes the look to `output`, completely or not at all. Raws
  /// without a preview, or whose preview is not believed, are left out, with a note. An output that
  /// is one of the raws is refused, and so are raws of several cameras. `onPicture` is told each
  /// raw before it is read.
  public func make(
    _ inputs: [String], to output: OutputDestination, onPicture: (String) -> Void = { _ in }
  ) throws(DevelopError) -> LookReport {
    var samples: [CameraLookSample] = []
    var report = LookReport(
      output: output.name, bytes: 0, camera: "", name: "", style: style, pictures: [], notes: [])
    var content = OutputContent("a look", [format.rawValue])
    for input in inputs {
      onPicture(input)
      let filter = try Developer.open(input)
      content.sources.formUnion(filter.sourceFiles)
      do {
        try output.check(content)
        let camera = filter.cameraName
        guard report.camera.isEmpty || report.camera == camera else {
          throw RAWError(
            .badSetting, .settings,
            "it is by a \(camera), others by a \(report.camera); make one look for each camera",
            path: input)
        }
        report.camera = camera
        let sample = try filter.cameraLookSample()
        if let refusal = sample.refusal {
          report.notes.append("\(input) is left out: \(refusal)")
        } else {
          samples.append(sample)
          report.pictures.append(LookReport.Picture(input: input, standard: 0, fitted: 0))
        }
      } catch { throw DevelopError(error, path: input) }
    }
    do {
      guard let study = CameraLookStudy(samples) else {
        throw RAWError(
          .badSetting, .color,
          "no look can be made of these \(inputs.count) raws; name raws with previews by the camera"
        )
      }
      for index in report.pictures.indices {
        report.pictures[index].standard = study.standard[index]
        report.pictures[index].fitted = study.fitted[index]
        report.pictures[index].heldOut = study.heldOut.isEmpty ? nil : study.heldOut[index]
      }
      report.name =
        name ?? "\(report.camera) \(style ?? "")".trimmingCharacters(in: .whitespaces)
      let file = study.file(name: report.name, camera: report.camera, style: style)
      let text = format == .cube ? file.cube : file.text
      guard let text else {
        throw RAWError(.badSetting, .color, "the look is no cube of colors; write a .rawlook file")
      }
      (report.bytes, report.contents) = try output.write(content, pieces: [Array(text.utf8)])
      return report
    } catch { throw DevelopError(error, path: output.name) }
  }
}
