/// Masks for values that must not leave the process, in the state, actions, reads, calls, and effects.
///
/// ```swift
/// LogMasks(state: ["/user/email"], action: ["/login/_0/**"], read: ["/AuthClient.token"])
/// ```
///
/// Paths consist of the names in the log. A path in a read starts with the read's key, and a path in a call with the
/// endpoint's key: `/AuthClient.login/arguments/1`, `/AuthClient.login/result/token`, `/AuthClient.login/error`.
public struct LogMasks: Hashable, Sendable {
  /// The masked paths in the state.
  public var state: [MaskPath]
  /// The masked paths in actions.
  public var action: [MaskPath]
  /// The masked paths in reads, which start with the read's key.
  public var read: [MaskPath]
  /// The masked paths in calls that effects make, which start with the endpoint's key.
  ///
  /// Paths for an endpoint in `read` also apply to its calls.
  public var call: [MaskPath]
  /// The masked paths in effect descriptions, which start with the name of the masked member.
  ///
  /// For example, `/input/password` is a path in an effect's input.
  public var effect: [MaskPath]
  /// The paths in the state whose values are omitted.
  ///
  /// The log contains only a note of the omission, and a replay keeps its own value.
  public var omitted: [MaskPath]
  /// The paths in actions, reads, and calls whose values never reach a masked path, such as the ids of rows.
  ///
  /// If all values in an action are at such paths, the action is written before the reducer runs. Otherwise, it is
  /// written together with its change if one of its values could reach a masked path.
  public var cleared: [MaskPath]

  /// Creates masks from the paths in each part of the log.
  ///
  /// ```swift
  /// LogMasks(state: ["/user/email"], action: ["/loggedIn/_0/email"])
  /// ```
  public init(
    state: [MaskPath] = [],
    action: [MaskPath] = [],
    read: [MaskPath] = [],
    call: [MaskPath] = [],
    effect: [MaskPath] = [],
    omitted: [MaskPath] = [],
    cleared: [MaskPath] = []
  ) {
    self.state = state
    self.action = action
    self.read = read
    self.call = call
    self.effect = effect
    self.omitted = omitted
    self.cleared = cleared
  }

  /// Returns masks that contain the paths of these masks and of `others`.
  package func adding(_ others: LogMasks) -> LogMasks {
    func joined(_ paths: [MaskPath], _ others: [MaskPath]) -> [MaskPath] {
      paths + others.filter { !paths.contains($0) }
    }
    return LogMasks(
      state: joined(state, others.state),
      action: joined(action, others.action),
      read: joined(read, others.read),
      call: joined(call, others.call),
      effect: joined(effect, others.effect),
      omitted: joined(omitted, others.omitted),
      cleared: joined(cleared, others.cleared)
    )
  }

  /// A part of the log to which masks apply.
  package enum Subject: String, CaseIterable, Sendable {
    case state, action, read, call, effect
    /// The state, for paths whose values are omitted.
    case omitted
  }

  package func paths(in subject: Subject) -> [MaskPath] {
    switch subject {
    case .state: state
    case .action: action
    case .read: read
    case .call: call
    case .effect: effect
    case .omitted: omitted
    }
  }

  package var isEmpty: Bool { Subject.allCases.allSatisfy { paths(in: $0).isEmpty } }

  /// Whether a path in the state equals a masked or omitted path, or lies within one.
  package func covers(_ path: JSON.Pointer) -> Bool {
    depth(of: path, in: state) != nil || depth(of: path, in: omitted) != nil
  }

  /// Whether the log contains no information about the value at a path in the state.
  ///
  /// A masked structure or collection is written as an empty one.
  package func hides(_ path: JSON.Pointer, written value: JSON?) -> Bool {
    if depth(of: path, in: omitted) != nil { return true }
    guard let depth = depth(of: path, in: state) else { return false }
    return depth < path.tokens.count || value == [] || value == [:]
  }

  /// Whether a value that the code can't decode is masked, or lies within a masked value.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer into the state or an action, or the key of a read.
  ///   - isInState: Whether the pointer leads into the state.
  /// - Returns: Whether the masks explain why the log lacks the value.
  package func covers(unreadable place: String, isInState: Bool) -> Bool {
    guard place.isEmpty || place.hasPrefix("/") else {
      return depth(of: JSON.Pointer([place]), in: read) != nil
    }
    guard let pointer = try? JSON.Pointer(parsing: place) else { return false }
    return depth(of: pointer, in: isInState ? state : action) != nil
  }

  /// Whether a difference is between inputs of an effect that differ only in masked names and values.
  package func hides(_ difference: LogDifference) -> Bool {
    guard difference.member == "input", let expected = difference.expected,
      let actual = difference.actual
    else { return false }
    return JSON.valueDifferences(from: expected, to: actual, isMasked: true).allSatisfy {
      depth(of: JSON.Pointer(["input"] + $0.path.tokens), in: effect) != nil
    }
  }

  /// Returns the patterns below a member that a binding sets, found by the member's names alone.
  ///
  /// The names lead from a feature's state to the member. The feature can be at any path in the state.
  func patterns(belowMember names: String) -> [MaskPath] {
    let names = names.split(separator: ".").map(String.init)
    var patterns: [MaskPath] = []
    for path in state where path.tokens.count >= names.count {
      for start in 0...path.tokens.count - names.count {
        let end = start + names.count
        let isMember = zip(path.tokens[start..<end], names).allSatisfy { $0 == .name($1) }
        if isMember { patterns.append(MaskPath(Array(path.tokens[end...]))) }
      }
    }
    return patterns
  }

  /// Returns the length of the shortest prefix of `path` that a pattern matches, or `nil` if there is none.
  private func depth(of path: JSON.Pointer, in paths: [MaskPath]) -> Int? {
    guard !paths.isEmpty else { return nil }
    var match = MaskPathMatcher(paths)
    if !match.complete.isEmpty { return 0 }
    for (index, token) in path.tokens.enumerated() where token != "$some" {
      match = match.descend(token)
      if !match.complete.isEmpty { return index + 1 }
    }
    return nil
  }
}

extension LogMasks {
  static let expected =
    "an object with arrays of paths in 'state', 'action', 'read', 'call', 'effect' and 'omitted'"

  init?(json: JSON) {
    guard json.object != nil else { return nil }
    func paths(_ name: String) -> [MaskPath] {
      (json[name]?.array ?? []).compactMap(\.string).map { MaskPath($0) }
    }
    self.init(
      state: paths("state"),
      action: paths("action"),
      read: paths("read"),
      call: paths("call"),
      effect: paths("effect"),
      omitted: paths("omitted")
    )
  }

  /// The masks in the JSON form that a header contains.
  ///
  /// A header doesn't contain the paths in `cleared`.
  package var json: JSON {
    func array(_ paths: [MaskPath]) -> JSON { .array(paths.map { .string($0.description) }) }
    var object: JSON.Object = [
      "state": array(state), "action": array(action), "read": array(read),
    ]
    if !call.isEmpty { object["call"] = array(call) }
    if !effect.isEmpty { object["effect"] = array(effect) }
    if !omitted.isEmpty { object["omitted"] = array(omitted) }
    return .object(object)
  }
}
