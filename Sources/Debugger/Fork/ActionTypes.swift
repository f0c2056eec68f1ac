import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The types of a feature's actions, which tell what the notation leaves out of an action that a log does not have.
package struct ActionTypes: Sendable {
  private let features: FeatureCatalog
  /// The path of this executable, which is the host unless another one was chosen.
  private let program: String

  package init(_ context: CommandContext) {
    features = context.features
    program = context.program.executable
  }

  /// The outline of the actions of a log; `nil` where the host does not say.
  func outline(of log: LogSlice, _ options: ReplayOptions) -> TypeOutline? {
    // The replay reports a host that does not answer.
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
  /// Whether an action was typed in Swift notation.
  var hasTypedAction: Bool {
    switch self {
    case .replace(_, by: .text), .insert(.text, after: _), .answerEffect(_, .sends(.text)): true
    default: false
    }
  }
}
