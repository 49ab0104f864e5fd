import ArgumentParser

/// Which options `--help` shows: the most common ones; `--help-all` shows the others, too.
enum HelpLevel {
  /// The option for all.
  static let all = "--help-all"

  /// Visibility of less common options. They stay visible while arguments are parsed, as errors
  /// list the values of an option, which are missing for hidden options.
  static let rest: ArgumentVisibility = {
    let arguments = CommandLine.arguments.dropFirst()
    let asks = arguments.first == "help" || arguments.contains { ["-h", "--help"].contains($0) }
    return asks && !arguments.contains(all) ? .hidden : .default
  }()

  /// Of the outputs' options.
  private static let outputs: Set = ["format", "max-size", "quality", "color-space", "metadata"]
  /// Of the properties.
  private static let properties: Set = [
    "isAutomaticAdjustmentEnabled", "look", "exposure", "contrast", "highlights", "shadows",
    "whites", "blacks",
    "neutralTemperature", "neutralTint", "saturation", "vibrance", "lutPath", "crop",
    "straightenAngle", "extendedDynamicRangeAmount",
  ]

  static func ofOutput(_ option: String) -> ArgumentVisibility {
    outputs.contains(option) ? .default : rest
  }

  static func ofProperty(_ name: String) -> ArgumentVisibility {
    properties.contains(name) ? .default : rest
  }

  /// Arguments in the form that the parser expects.
  static func parsed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard arguments[..<end].contains(all) else { return arguments }
    // `rawdev help COMMAND` takes no options.
    let words = arguments.first == "help" ? arguments[1..<end] : arguments[..<end]
    return words.map { $0 == all ? "--help" : $0 } + arguments[end...]
  }

  /// The note after the help of a command that has more options than it shows.
  static func more(_ arguments: [String]) -> String {
    let words = arguments.filter { $0 != "help" && !$0.hasPrefix("-") }
    guard !arguments.contains(all), let name = words.first,
      let command = Rawdev.configuration.subcommands.first(where: {
        $0.configuration.commandName == name
      }),
      Rawdev.helpMessage(for: command, includeHidden: true) != Rawdev.helpMessage(for: command)
    else { return "" }
    return "\nrawdev \(name) \(all) lists all options."
  }
}
