import ActionLog
import ReplayDebugger

/// The optional features of the protocol that the adapter supports.
enum AdapterCapabilities {
  /// The capabilities in the protocol's JSON format.
  ///
  /// A capability that the object lacks is not supported.
  static var json: JSON.Object {
    var object: JSON.Object = [
      "exceptionBreakpointFilters": .array(LogStep.ProblemKind.filters)
    ]
    for name in flags { object[name] = true }
    return object
  }

  private static let flags = [
    "supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
    "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
    "supportsEvaluateForHovers", "supportsStepBack", "supportsRestartFrame",
    "supportsGotoTargetsRequest", "supportsRestartRequest", "supportsExceptionInfoRequest",
    "supportsDelayedStackTraceLoading", "supportsLoadedSourcesRequest", "supportsTerminateRequest",
    "supportsDataBreakpoints", "supportsCancelRequest", "supportsClipboardContext",
    "supportsExceptionFilterOptions", "supportsSetVariable", "supportsSetExpression",
    "supportsCompletionsRequest", "supportsLogPoints", "supportsBreakpointLocationsRequest",
  ]
}
