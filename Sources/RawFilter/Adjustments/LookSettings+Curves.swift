public import HDRRender

// Tone curves through points: ``PointCurve``.

extension LookSettings {
  static let curves: [Adjustment] = [
    curve("toneCurve", \.look.toneCurve, "Tone curve through points, for all channels"),
    curve("redToneCurve", \.look.redToneCurve, "Tone curve of red"),
    curve("greenToneCurve", \.look.greenToneCurve, "Tone curve of green"),
    curve("blueToneCurve", \.look.blueToneCurve, "Tone curve of blue"),
  ]

  private static func curve(
    _ name: String, _ path: any WritableKeyPath<RAWSettings, PointCurve> & Sendable,
    _ summary: String
  ) -> Adjustment {
    Adjustment(
      RAWProperty(
        name, .points, 0...1, neutral: "none", standard: "none", summary,
        interplay: """
          Pairs of input and output signals, 0 black to 1 reference white: 0,0,0.25,0.2,1,1. \
          Values above white keep their ratio to white. No effect at boostAmount 0.
          """),
      path, .other, .curve, needs: .on("boostAmount"),
      refusal: { curve in
        curve.refusal.map { "\(name) has \($0)" }
      })
  }
}

extension RAWFilter {
  /// A tone curve through points, for all channels; none by default. Invalid points make
  /// `outputImage()` throw.
  public var toneCurve: PointCurve {
    get { settings.look.toneCurve }
    set { settings.look.toneCurve = newValue }
  }

  /// A tone curve for red alone; as ``toneCurve``.
  public var redToneCurve: PointCurve {
    get { settings.look.redToneCurve }
    set { settings.look.redToneCurve = newValue }
  }

  /// A tone curve for green alone; as ``toneCurve``.
  public var greenToneCurve: PointCurve {
    get { settings.look.greenToneCurve }
    set { settings.look.greenToneCurve = newValue }
  }

  /// A tone curve for blue alone; as ``toneCurve``.
  public var blueToneCurve: PointCurve {
    get { settings.look.blueToneCurve }
    set { settings.look.blueToneCurve = newValue }
  }
}
