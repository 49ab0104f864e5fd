public import Formats
import Foundation
import RawFilter

/// Makes a camera's look from the camera's own previews in raws: the work of `rawdev profile
/// --from-previews`.
///
/// One mapping from our standard rendering to the previews of all pictures (`CameraLookStudy`), as
/// a `.rawlook` file or a cube of colors. It is evaluated on pictures that are left out of the fit.
public struct LookTool: Sendable {
  /// The file format.
  public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
    /// A `.rawlook` file, for `lutPath`.
    case rawlook
    /// A camera profile for other programs, which approximates it; of raws that are no DNGs.
    case dcp
    /// A `.cube` file of sRGB for other programs, for pictures as rendered by standard.
    case cube
  }

  /// The file format.
  public var format = Format.rawlook
  /// The name of the look; nil for the name of the camera and the style.
  public var name: String?
  /// The camera's picture style that the previews have, as its user calls it.
  public var style: String?

  /// A tool that writes `.rawlook` files.
  public init() {}

  /// Reads the raws at `inputs` and writes the look to `output`, completely or not at all. Raws
  /// without a preview, or with an unreliable one, are left out, with a note. An output that is one
  /// of the raws is refused, and so are raws of several cameras. `onPicture` is called with each
  /// raw before it is read.
  public func make(
    _ inputs: [String], to output: OutputDestination, onPicture: (String) -> Void = { _ in }
  ) throws(DevelopError) -> LookReport {
    var samples: [CameraLookSample] = []
    var report = LookReport(
      output: output.name, bytes: 0, camera: "", name: "", style: style, pictures: [], notes: [])
    var matrices: (daylight: [Double], tungsten: [Double]) = ([], [])
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
        matrices = filter.rawFile.info.cameraMatrices
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
        let reason = report.notes.first.map { " (\($0))" } ?? ""
        throw RAWError(
          .badSetting, .color,
          "no look results from these \(inputs.count) raws\(reason); name raws with previews by "
            + "the camera")
      }
      for index in report.pictures.indices {
        report.pictures[index].standard = study.standard[index]
        report.pictures[index].fitted = study.fitted[index]
        report.pictures[index].heldOut = study.heldOut.isEmpty ? nil : study.heldOut[index]
      }
      report.name =
        name ?? "\(report.camera) \(style ?? "")".trimmingCharacters(in: .whitespaces)
      let file = study.file(name: report.name, camera: report.camera, style: style)
      let bytes: [UInt8]? =
        switch format {
        case .rawlook: Array(file.text.utf8)
        case .cube: file.cube.map { Array($0.utf8) }
        case .dcp: try Self.profile(of: file, matrices)
        }
      guard let bytes else {
        throw RAWError(
          .badSetting, .color, "the look is no table of colors; write a .rawlook file")
      }
      if format == .dcp, file.hasCast {
        report.notes.append(
          "grays have a cast in the look, which a camera profile cannot give them")
      }
      (report.bytes, report.contents) = try output.write(content, chunks: [bytes])
      return report
    } catch { throw DevelopError(error, path: output.name) }
  }

  /// The look as a camera profile of a camera with these matrices.
  private static func profile(
    of file: CameraLookFile, _ matrices: (daylight: [Double], tungsten: [Double])
  ) throws -> [UInt8]? {
    guard matrices.daylight.count == 9 else {
      throw RAWError(
        .badSetting, .color,
        "a camera profile needs the matrix of the camera, which these raws do not give, or "
          + "which a DNG has in a profile of its own; write a .rawlook file")
    }
    return try file.profile().map { look in
      CameraProfileFile(
        name: file.name, cameraModel: file.camera, daylight: matrices.daylight,
        tungsten: matrices.tungsten, look: look
      ).bytes
    }
  }
}
