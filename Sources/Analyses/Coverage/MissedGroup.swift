/// Cases or places of which no log has any, by the outermost one that all of them are in.
struct MissedGroup: Equatable {
  /// The case or the place: `destination.alert`.
  let name: String
  /// How many cases or places are in it; 1 for itself.
  var count = 1

  /// Groups what is missed.
  ///
  /// - Parameters:
  ///   - missed: The names of what no log has.
  ///   - reached: The names of what logs have.
  /// - Returns: The groups, in the order of what is missed.
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

  /// What a name lies in, and the name itself, the outermost first: `a`, `a[*]`, `a[*].b` and `a[*].b == "c"`.
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
