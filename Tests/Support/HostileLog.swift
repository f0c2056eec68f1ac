/// Logs of valid JSON that are designed to take more time or memory than their size suggests.
package enum HostileLog: String, CaseIterable, Sendable, CustomStringConvertible {
  case nestedEffects = "effects nested in groups"
  case wrongNestedEffects = "effects nested in groups, the innermost wrong"
  case unknownMembersOfGroups = "nested groups with a member that no version knows"
  case copies = "copies of an array into itself"
  case copiesByAction = "a copy of an array into itself in each action"
  case moves = "moves of a value into the next one"
  case longPath = "a path of many levels"
  case removals = "removals of all members of an object"
  case removalsByAction = "a removal of a member in each action"
  case goneMembers = "members that the code no longer has"
  case headerMembers = "members of the header that no version knows"
  case sharedPlaces = "places of shared values"
  case reads = "reads of one action"

  package var description: String { rawValue }

  /// Returns the lines of the log.
  ///
  /// - Parameters:
  ///   - size: The number of hostile items.
  ///   - sample: A valid log for those that extend one.
  /// - Returns: The lines.
  package func lines(of size: Int, in sample: [String] = []) -> [String] {
    switch self {
    case .nestedEffects: log(effects: nested(size, #"{"id":"1.0","op":"run","name":"a"}"#))
    case .wrongNestedEffects: log(effects: nested(size, #"{"id":"1.0","op":"run","priority":5}"#))
    case .unknownMembersOfGroups:
      log(effects: nested(size, #"{"id":"1.0","op":"run","name":"a"}"#, ",\"more\":1"))
    case .copies: log(state: Self.copied, patch: Array(repeating: Self.copy, count: size))
    case .copiesByAction: log(state: Self.copied, patches: Array(repeating: Self.copy, count: size))
    case .moves:
      log(
        patch: Array(
          repeating: #"{"op":"move","from":"/a","path":"/c"},{"op":"add","path":"/a","value":{}},"#
            + #"{"op":"move","from":"/c","path":"/a/n"}"#,
          count: size
        )
      )
    case .longPath:
      log(patch: [#"{"op":"add","path":"\#(String(repeating: "/a", count: size))","value":1}"#])
    case .removals: log(state: members(size), patch: removals(size))
    case .removalsByAction: log(state: members(size), patches: removals(size))
    case .goneMembers:
      sample.map { line in
        guard line.hasPrefix(#"{"kind":"checkpoint""#) else { return line }
        return line.replacing(
          #""state":{"#,
          with: #""state":{\#(members(size)),"#,
          maxReplacements: 1
        )
      }
    case .headerMembers:
      [sample[0].dropLast() + ",\(members(size))}"] + sample.dropFirst()
    case .sharedPlaces:
      sample.map { line in
        guard line.hasPrefix(#"{"kind":"checkpoint""#) else { return line }
        let places = (0..<size).map { #"{"root":\#($0 / 2),"at":"/k\#($0)"}"# }
        return line.replacing(
          #""state":{"#,
          with: #""state":{\#(members(size)),"#,
          maxReplacements: 1
        )
        .dropLast() + #","shared":[\#(places.joined(separator: ","))]}"#
      }
    case .reads:
      sample.flatMap { line in
        guard line.hasPrefix(#"{"kind":"action","seq":1,"#) else { return [line] }
        return [line]
          + (0..<size).map {
            #"{"kind":"read","seq":1,"key":"number","value":\#($0)}"#
          }
      }
    }
  }

  /// Long enough that a state of the allowed size has only some thousand values.
  private static let copied = #""a":["\#(String(repeating: "x", count: 500))"]"#
  private static let copy = #"{"op":"copy","from":"/a","path":"/a/-"}"#

  private func nested(_ depth: Int, _ innermost: String, _ rest: String = "") -> String {
    String(repeating: #"{"op":"merge","effects":["#, count: depth) + innermost
      + String(repeating: "]\(rest)}", count: depth)
  }

  private func members(_ count: Int) -> String {
    (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
  }

  private func removals(_ count: Int) -> [String] {
    (0..<count).map { #"{"op":"remove","path":"/k\#($0)"}"# }
  }

  /// Returns a log of actions with a patch of one operation each.
  private func log(
    state: String = #""a":["x"]"#,
    patches: [String],
    effects: String = ""
  ) -> [String] {
    let changes = patches.enumerated().flatMap { index, patch in
      [
        #"{"kind":"action","seq":\#(index + 1),"at":1,"origin":"view","action":{"x":{}}}"#,
        #"{"kind":"change","seq":\#(index + 1),"patch":[\#(patch)]\#(effects)}"#,
      ]
    }
    return [
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"Counter","stateType":"CounterState","startedAt":"","environment":{}}"#,
      #"{"kind":"checkpoint","seq":0,"state":{\#(state)},"effects":[]}"#,
    ] + changes + [#"{"kind":"end","seq":\#(patches.count),"reason":"closed"}"#]
  }

  private func log(state: String = #""a":["x"]"#, patch: [String]) -> [String] {
    log(state: state, patches: [patch.joined(separator: ",")])
  }

  private func log(effects: String) -> [String] {
    log(patches: [""], effects: ",\"effects\":[\(effects)]")
  }
}
