/// The functions that return the messages of all issues that the library reports.
enum Messages {
  static func modifiedUnrelatedCase<Enum>(of value: Enum) -> String {
    """
    A case of "\(DumpTypeName.full(Enum.self))" was to be changed, but the value stands in another case, \
    "\(caseName(of: value))". Nothing was changed. Check the case first, with "is(_:)".
    """
  }

  static func sentInThePast(_ action: Any) -> String {
    """
    An action was sent while the store shows a state of the past: …

        \(ActionLabel.whole(action))

    It was dropped, and so are others until the store is live again. Call "returnToPresent()" or \
    "continueFromHere()" of the timeline first.
    """
  }

  static func changedInThePast(_ name: String) -> String {
    """
    The shared value "\(name)" was to be changed while the store shows a state of the past. It was not \
    changed. Call "returnToPresent()" or "continueFromHere()" of the timeline first.
    """
  }

  static func actionForAnotherCase<State>(
    _ action: Any,
    of state: State,
    at location: IssueLocation
  ) -> String {
    """
    The reducer at \(location.place) received an action while the state stands in another case: …

        Action: \(ActionLabel.whole(action))
        State: \(DumpTypeName.short(State.self)).\(caseName(of: state))

    The feature of the action did not run. Send actions of a feature only while its case is there, \
    and change the case after the feature has run.
    """
  }

  static func actionWithoutState(_ action: Any, at location: IssueLocation) -> String {
    """
    The reducer at \(location.place) received an action while the state of its feature is nil: …

        \(ActionLabel.whole(action))

    The feature did not run. Send actions of a feature only while its state is there, set the state \
    to nil after the feature has run, and cancel what may still send.
    """
  }

  static func actionForMissingElement<ID>(
    _ action: Any,
    id: ID,
    at location: IssueLocation
  ) -> String {
    """
    The reducer at \(location.place) received an action for the element \(id), which is not there: …

        \(ActionLabel.whole(action))

    The feature did not run. Send actions of an element only while it is there, remove it after its \
    feature has run, and cancel what may still send.
    """
  }

  static let dismissedOutsideOfPresentation = """
    A feature asked to be dismissed, but no parent presents it. Nothing happened. Ask "isPresented" \
    first, or present the feature with "ifLet" and "PresentationState" or in a "StackState".
    """

  static func dismissedWithoutState(_ action: Any, at location: IssueLocation) -> String {
    """
    The reducer at \(location.place) was to dismiss a feature whose state is nil: …

        \(ActionLabel.whole(action))

    Nothing was dismissed. Send "dismiss" only while the feature is presented.
    """
  }

  static func poppedMissingElement(
    _ action: Any,
    id: StackElementID,
    at location: IssueLocation
  ) -> String {
    """
    The reducer at \(location.place) was to pop the element \(id), which is not in the stack: …

        \(ActionLabel.whole(action))

    Nothing was popped. Pop an element only while it is there.
    """
  }

  static func presentedAfterDismissal(_ state: Any.Type) -> String {
    """
    A view has dismissed a feature, but its state is still there: "\(DumpTypeName.full(state))". The reducer that presents it has no \
    "ifLet" for it, or sets it again. Add "ifLet" with the presentation's state and action.
    """
  }

  static func pushedElementAgain(
    _ action: Any,
    id: StackElementID,
    at location: IssueLocation
  ) -> String {
    """
    The reducer at \(location.place) was to push an element with the id \(id), which is in the stack \
    already: …

        \(ActionLabel.whole(action))

    Nothing was pushed. Push each element under an id of its own.
    """
  }

  static func pushedElementAhead(
    _ action: Any,
    id: StackElementID,
    next: StackElementID,
    at location: IssueLocation
  ) -> String {
    """
    The reducer at \(location.place) was to push an element with the id \(id), while the next one of \
    the store is \(next): …

        \(ActionLabel.whole(action))

    The element was pushed. In tests push elements under ids that follow each other.
    """
  }

  static func setMissingElement(id: StackElementID) -> String {
    """
    The element \(id) of a stack was to be set, but it is not there. Nothing was set. Push new \
    elements with "append".
    """
  }

  static func unhandledBinding(
    _ action: Any,
    of state: Any.Type,
    at location: IssueLocation
  ) -> String {
    """
    A property of "\(DumpTypeName.short(state))" was set through a store, and no reducer handled the action: …

        \(ActionLabel.whole(action))

    The feature runs in the store made at \(location.place). Nothing was set. Begin the body of the \
    feature with "BindingReducer()".
    """
  }

  static func unimplemented(_ name: String) -> String {
    """
    "\(name)" was called in a test that did not set it. Set it with "withDependencies".
    """
  }

  static func reentrantSend(of action: Any) -> String {
    """
    An action was sent while the store was busy with another one, from inside a reducer or an \
    observer: …

        \(ActionLabel.whole(action))

    It is handled after that one. Return an effect that sends it, or send it later.
    """
  }

  static func sentAfterCompletion(
    _ action: Any,
    of starter: Any?,
    at location: IssueLocation
  ) -> String {
    """
    An action was sent from the effect at \(location.place), whose operation had returned: …

        Action: \(ActionLabel.whole(action))
        Effect of: \(starter.map { ActionLabel.whole($0) } ?? "a store that goes on from a log")

    It is handled, but nothing can cancel it or wait for it. Keep the operation from returning until \
    all is sent.
    """
  }

  static func unhandled(_ error: any Error, at location: IssueLocation) -> String {
    """
    The effect at \(location.place) threw an error that nothing caught: …

    \(String(customDumping: error).indentedByFour)

    Catch it inside "run", or give "run" a "catch".
    """
  }

  static func scopeOfStoreNotKept(_ store: String) -> String {
    """
    A part that comes and goes was scoped from a store of type "\(store)" that closures made. Such \
    a store is another one each time, and so are its parts: what observes them loses them. Make it \
    with key paths, "scope(_:action:)".
    """
  }

  static let clockHasSleepers = """
    A task still sleeps on the test clock. Cancel it, or advance the clock beyond its deadline.
    """

  static func clockStillHasSleepers(after timeout: Duration) -> String {
    """
    A task still sleeps on the test clock after \(timeout) of running it. Cancel effects that never end, \
    such as timers, first.
    """
  }

  static func expectedIssueMissing(_ reason: String?) -> String {
    """
    The operation was expected to report an issue and reported none\(reason.map { ": \($0)" } ?? ""). Remove \
    the expectation, or set "isIntermittent" if it reports one only sometimes.
    """
  }

  static func caught(_ error: any Error, _ message: String?) -> String {
    "\(prefix(message ?? ""))Caught an error: \(error)"
  }

  static func valuesDiffer(_ difference: String, _ message: String) -> String {
    """
    \(prefix(message))Two values were expected to be equal and differ:

    \(difference.indentedByFour)

    (First: −, second: +)
    """
  }

  static func changeDiffers(_ difference: String, _ message: String) -> String {
    """
    \(prefix(message))A value did not change as expected:

    \(difference.indentedByFour)

    (Expected: −, actual: +)
    """
  }

  static func expectationThrew(_ error: any Error, _ message: String) -> String {
    "\(prefix(message))An error was thrown where none was expected: \(String(customDumping: error))"
  }

  static func prefix(_ message: String) -> String {
    message.isEmpty ? "" : "\(message)\n\n"
  }

  /// Returns the name of an enum value's case, or the name of the type for other values.
  static func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum || mirror.displayStyle == .optional else {
      return DumpTypeName.full(type(of: value))
    }
    return mirror.children.first?.label ?? "\(value)"
  }
}

extension IssueLocation {
  /// The module, the file name, and the line number in the format of messages.
  var place: String { "\(fileID):\(line)" }
}

extension String {
  /// The text with each line indented by four spaces, the indentation of differences in messages.
  var indentedByFour: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    \($0)" }
      .joined(separator: "\n")
  }
}

extension Messages {
  static let unknownXCTest = """
    This version of XCTest is not known to TCACore, which cannot learn from it that a test begins. Default values of \
    dependencies stay from one test case to the next. Set the dependencies of each test, or update the package.
    """

  static let unknownSwiftTesting = """
    This version of Swift Testing is not known to TCACore. Issues are written as warnings, and fail no test. Update the \
    package.
    """
}

extension Messages {
  static func errorsNotEquatable(_ error: any Error) -> String {
    """
    Two errors of type "\(DumpTypeName.full(type(of: error)))" were to be compared, which is not \
    "Equatable". They count as different. Make the type "Equatable".
    """
  }

  static func missingPayload<Enum, Payload>(
    of value: Enum,
    type: Payload.Type,
    _ message: String
  ) -> String {
    """
    \(prefix(message))A value of type "\(DumpTypeName.full(type))" was expected in a \
    "\(DumpTypeName.full(Enum.self))", which is:

    \(String(customDumping: value).indentedByFour)
    """
  }

  static func payloadUnchanged<Payload>(_ payload: Payload, _ message: String) -> String {
    """
    \(prefix(message))A value was expected to change, and did not. Leave the closure out, or change \
    it:

    \(String(customDumping: payload).indentedByFour)
    """
  }

  static func noEnvironment(_ type: Any.Type) -> String {
    """
    An environment of type "\(DumpTypeName.full(type))" was to be changed, but the test store has none of \
    that type. Make the store with \"TestStore(initialState:reducer:environment:)\" and that type.
    """
  }
}
