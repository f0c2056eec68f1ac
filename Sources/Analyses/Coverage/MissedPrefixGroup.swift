/// Missed cases or paths with a common prefix that is itself missed.
struct MissedPrefixGroup: Equatable {
  /// The outermost case or path that was missed, such as `destination.alert`.
  let name: String
  /// The number of cases or paths in the group.
  var count = 1

  /// Groups missed names by their outermost prefix that was not reached.
  ///
  /// - Parameters:
  ///   - missed: The names that were not reached.
  ///   - reached: The names that were reached.
  /// - Returns: The groups, in the order in which their first names occur in `missed`.
  static func groups(missed: [String], reached: [String]) -> [MissedPrefixGroup] {
    let inReach = Set(reached.flatMap { beginnings(of: $0) })
    var groups: [MissedPrefixGroup] = []
    for name in missed {
      let group = Self.beginnings(of: name).first { !inReach.contains($0) } ?? name
      if groups.last?.name == group {
        groups[groups.count - 1].count += 1
      } else {
        groups.append(MissedPrefixGroup(name: group))
      }
    }
    return groups
  }

  /// Returns the prefixes of a name and the name itself, starting with the shortest.
  ///
  /// The result for `a[*].b == "c"` is `a`, `a[*]`, `a[*].b`, and the name itself.
  private static func beginnings(of name: String) -> [String] {
    var beginnings: [String] = []
    var isInText = false
    for index in name.indices.dropFirst() {
      switch name[index] {
      case "\"": isInText.toggle()
      case ".", "[": if !isInText { beginnings.append(String(name[..<index])) }
      // A space ends the path in front of a possible value.
      case " ": if !isInText { return beginnings + [String(name[..<index]), name] }
      default: break
      }
    }
    return beginnings + [name]
  }
}
