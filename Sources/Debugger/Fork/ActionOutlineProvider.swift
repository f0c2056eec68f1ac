import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Completes typed actions that the log doesn't contain, by using the types of the feature's actions.
package struct ActionOutlineProvider: Sendable {
  private let features: FeatureCatalog
  /// The path of this executable, which is the default host.
  private let program: String

  package init(_ context: CommandContext) {
    features = context.features
    program = context.program.executable
  }

  /// Returns the outline of the type of a log's actions, or `nil` if the host doesn't provide one.
  func outline(of log: LogSlice, _ options: ReplayOptions) -> TypeOutline? {
    // If the host doesn't respond, the replay reports this.
    guard let header = try? log.header() else { return nil }
    if options.host == program {
      let entry = try? features.entry(for: header, named: options.feature)
      return entry?.types.map { TypeOutline(of: $0.action) }
    }
    let outlines = try? HostExecution.outlines(of: options.host, timeout: options.timeout)
    let name = options.feature ?? header.feature
    return outlines?.first { $0.name == name }?.action
      ?? outlines?.first { $0.stateType == header.stateType }?.action
  }
}

extension TimelineEdit {
  /// Whether the edit contains an action that was typed in Swift notation.
  var hasTypedAction: Bool {
    switch self {
    case .replace(_, by: .text), .insert(.text, after: _), .answerEffect(_, .sends(.text)): true
    default: false
    }
  }
}
