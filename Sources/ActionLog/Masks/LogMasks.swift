/// The places in the state, in actions, reads and calls whose values must not leave the process.
///
/// ```swift
/// LogMasks(state: ["/user/email"], action: ["/login/_0/**"], read: ["/AuthClient.token"])
/// ```
///
/// Names are those of the log. A path into a read begins with the read's key, a path into a call with the endpoint's:
/// `/AuthClient.login/arguments/1`, `/AuthClient.login/result/token`, `/AuthClient.login/error`.
public struct LogMasks: Hashable, Sendable {
  /// Places in the state.
  public var state: [MaskPath]
  /// Places in actions.
  public var action: [MaskPath]
  /// Places in reads, below the read's key.
  public var read: [MaskPath]
  /// Places in the calls of effects, below the endpoint's key.
  ///
  /// What `read` masks of an endpoint is masked in its calls, too.
  public var call: [MaskPath]
  /// Places in what effects are described by, below the part: `/input/password` is in their inputs.
  public var effect: [MaskPath]
  /// Places in the state that are left out: the log says only that, and a replay keeps its own value there.
  public var omitted: [MaskPath]
  /// Places in actions, reads and calls whose values never go where a mask is, such as the ids of rows.
  ///
  /// What stands elsewhere in an action is written with the action's change when it could. What stands here is written before
  /// the reducer runs.
  public var cleared: [MaskPath]

  /// Masks for these places.
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

  /// These masks and others, each once.
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

  /// The kind of value that a path leads into.
  package enum Subject: String, CaseIterable, Sendable {
    case state, action, read, call, effect
    /// The state, of which a part is left out.
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

  /// Whether there are no masks.
  package var isEmpty: Bool { Subject.allCases.allSatisfy { paths(in: $0).isEmpty } }

  /// Whether a place in the state is masked or left out, or lies in such a place.
  package func covers(_ path: JSON.Pointer) -> Bool {
    depth(of: path, in: state) != nil || depth(of: path, in: omitted) != nil
  }

  /// Whether the log has no information about a place in the state: a value with parts that is masked as a whole is written
  /// empty.
  package func hides(_ path: JSON.Pointer, written value: JSON?) -> Bool {
    if depth(of: path, in: omitted) != nil { return true }
    guard let depth = depth(of: path, in: state) else { return false }
    return depth < path.tokens.count || value == [] || value == [:]
  }

  /// Whether a place that code cannot read is masked, or lies in such a place.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer into the state or an action; the key of a read.
  ///   - isInState: Whether it is in the state.
  /// - Returns: Whether the log cannot have the value that the code needs there.
  package func covers(unreadable place: String, isInState: Bool) -> Bool {
    guard place.isEmpty || place.hasPrefix("/") else {
      return depth(of: JSON.Pointer([place]), in: read) != nil
    }
    guard let pointer = try? JSON.Pointer(parsing: place) else { return false }
    return depth(of: pointer, in: isInState ? state : action) != nil
  }

  /// Whether inputs of an effect differ only where masks are.
  package func hides(_ difference: LogDifference) -> Bool {
    guard difference.member == "input", !effect.isEmpty, let expected = difference.expected,
      let actual = difference.actual
    else { return false }
    return JSON.differences(from: expected, to: actual).allSatisfy {
      depth(of: JSON.Pointer(["input"] + $0.path.tokens), in: effect) != nil
        || $0.isHiddenBySubstitutes
    }
  }

  /// What is masked of a member that a binding sets, by the names of the member alone: patterns below it.
  ///
  /// The names are those that lead from a feature's state to the member, and the feature can be anywhere.
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

  /// The length of the shortest prefix of a path that a pattern matches.
  private func depth(of path: JSON.Pointer, in paths: [MaskPath]) -> Int? {
    guard !paths.isEmpty else { return nil }
    var match = MaskMatch(paths)
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

  /// The masks as a header states them.
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
