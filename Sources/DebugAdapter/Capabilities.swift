import ActionLog
import ReplayDebugger

/// The capabilities of the adapter.
enum Capabilities {
  /// The capabilities in the protocol's JSON format.
  ///
  /// The adapter doesn't support those that are missing.
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
