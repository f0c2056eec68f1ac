import ActionLog
import ReplayEngine

/// Compares two sets of pictures by action.
///
/// If the states are equal and the pictures differ, the drawing code has changed.
///
/// ```swift
/// PictureComparison(before: earlier, after: drawn).differences.map(\.action)  // [12]
/// ```
package struct PictureComparison {
  /// An action whose pictures differ.
  package struct Difference {
    package let action: Int
    package let before: PictureSet.Row
    package let after: PictureSet.Row
  }

  package let before: PictureSet
  package let after: PictureSet
  /// The actions whose pictures differ, although their states are not known to differ.
  package private(set) var differences: [Difference] = []
  /// The actions whose states differ, regardless of their pictures.
  package private(set) var changedStates: [Int] = []
  /// The actions that only one of the sets has.
  package private(set) var onlyBefore: [Int] = []
  package private(set) var onlyAfter: [Int] = []
  /// The number of actions with equal pictures.
  package private(set) var sameCount = 0

  /// Whether states were compared.
  package var comparesStates: Bool { before.hasStates && after.hasStates }

  package init(before: PictureSet, after: PictureSet) {
    (self.before, self.after) = (before, after)
    var (earlier, later) = (before.rows[...], after.rows[...])
    while let old = earlier.first, let new = later.first {
      if old.action < new.action {
        onlyBefore.append(earlier.removeFirst().action)
      } else if new.action < old.action {
        onlyAfter.append(later.removeFirst().action)
      } else {
        compare(earlier.removeFirst(), later.removeFirst())
      }
    }
    onlyBefore += earlier.map(\.action)
    onlyAfter += later.map(\.action)
  }

  private mutating func compare(_ old: PictureSet.Row, _ new: PictureSet.Row) {
    if comparesStates, old.state != new.state {
      changedStates.append(old.action)
    } else if old.picture?.digest == new.picture?.digest {
      sameCount += 1
    } else {
      differences.append(Difference(action: old.action, before: old, after: new))
    }
  }
}

extension PictureComparison {
  /// The comparison as JSON.
  var json: JSON {
    func list(_ actions: [Int]) -> JSON { .array(actions.map { .number(JSON.Number($0)) }) }
    return [
      "same": .bool(differences.isEmpty), "statesCompared": .bool(comparesStates),
      "sameCount": .number(JSON.Number(sameCount)),
      "differences": .array(
        differences.map { difference in
          var object: JSON.Object = ["action": .number(JSON.Number(difference.action))]
          for (name, row) in [("before", difference.before), ("after", difference.after)] {
            object[name] = row.picture.map { .string($0.file) } ?? .null
            if let note = row.note { object["\(name)Note"] = .string("\(note)") }
          }
          return .object(object)
        }
      ),
      "changedStates": list(changedStates), "onlyBefore": list(onlyBefore),
      "onlyAfter": list(onlyAfter),
    ]
  }
}
