/// A group of uncovered cases or paths, identified by the outermost one.
struct MissedGroup: Equatable {
  /// The outermost case or path: `destination.alert`.
  let name: String
  /// The number of cases or paths in the group, including the outermost one.
  var count = 1

  /// Groups uncovered names.
  ///
  /// - Parameters:
  ///   - missed: The uncovered names.
  ///   - reached: The covered names.
  /// - Returns: The groups, in the order of the uncovered names.
  static func groups(missed: [String], reached: [String]) -> [MissedGroup] {
    let inReach = Set(reached.flatMap { beginnings(of: $0) })
    var groups: [MissedGroup] = []
    for name in missed {
      let group = Self.beginnings(of: name).first { !inReach.contains($0) } ?? name
      if groups.last?.name == group {
        groups[groups.count - 1].count += 1
      } else {
        groups.append(MissedGroup(name: group))
      }
    }
    return groups
  }

  /// Returns the prefixes of a name and the name itself, the outermost first: `a`, `a[*]`, `a[*].b` and `a[*].b ==
  /// "c"`.
  private static func beginnings(of name: String) -> [String] {
    var beginnings: [String] = []
    var isInText = false
    for index in name.indices.dropFirst() {
      switch name[index] {
      case "\"": isInText.toggle()
      case ".", "[", " ": if !isInText { beginnings.append(String(name[..<index])) }
      default: break
      }
    }
    return beginnings + [name]
  }
}
