/// The cameras that the decoder knows by name. A DNG needs no entry: it describes itself.
public enum SupportedCameras {
  /// Names of makers and models, as LibRaw lists them.
  public static var models: [String] { LibRawHandle.cameraModels }
}
