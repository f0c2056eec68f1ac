import ActionLog
import ReplayDebugger

/// The capabilities of the adapter.
enum Capabilities {
  /// The capabilities as the protocol has them; what is not here it cannot do.
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
