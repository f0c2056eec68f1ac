import Foundation
import ReplayAnalyses
import TCARecorder

extension Mutator {
  /// Changes one value, or none.
  mutating func change(_ state: inout Menagerie) {
    switch number(5) {
    case 0: changeScalar(&state)
    case 1, 2: changeCollection(&state)
    case 3: changeChoice(&state)
    default: changeReference(&state)
    }
  }

  private mutating func changeScalar(_ state: inout Menagerie) {
    switch number(14) {
    case 0: state.int += 1
    case 1: state.small = Int8(number(100))
    case 2: state.flag.toggle()
    case 3: state.double = double()
    case 4: state.float = Float(double())
    case 5: state.text = text()
    case 6: state.part = text().dropFirst()
    case 7: state.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number(3))))
    case 8: state.date = Date(timeIntervalSinceReferenceDate: pick([0, -0.5, 1.25, 1e12]))
    case 9: state.data = Data(text().utf8)
    case 10: state.decimal = pick([0, 0.1, -1, .nan])
    case 11: state.duration = pick([.zero, .milliseconds(1500), .seconds(-1)])
    case 12: state.pair = (number(2), text())
    default: state.ignored += 1
    }
  }

  private mutating func changeCollection(_ state: inout Menagerie) {
    switch number(16) {
    case 0: change(&state.numbers) { $0.number(10) }
    case 1: change(&state.grid) { mutator in (0..<mutator.number(3)).map { _ in mutator.double() } }
    case 2 where !state.grid.isEmpty: change(&state.grid[number(state.grid.count)]) { $0.double() }
    case 3, 4:
      var rows = Array(state.rows)
      change(&rows) { $0.row() }
      state.rows = IdentifiedArray(rows, uniquingIDsWith: { old, _ in old })
    case 5 where !state.rows.isEmpty:
      let id = state.rows.ids[number(state.rows.count)]
      change(&state.rows[id: id]) { $0.change(&$1) }
    case 6: change(&state.list) { $0.row() }
    case 7 where !state.list.isEmpty:
      for _ in 0...number(3) { change(&state.list[number(state.list.count)]) }
    case 8: state.list = state.list.map { row in with(row) { change(&$0) } }
    case 9: change(&state.shapes) { $0.shape() }
    case 10: if coin() { state.names.insert(text()) } else { state.names.remove(text()) }
    case 11:
      let key = text()
      state.table.removeValue(forKey: key)
      state.table[key] = coin() ? nil : row()
    case 12:
      if let key = state.table.keys.randomElement(using: &self) {
        change(&state.table[key]) { $0.change(&$1) }
      }
    case 13: state.index[number(4) - 2] = coin() ? nil : text()
    case 14:
      let key = liar()
      state.odd.removeValue(forKey: key)
      if coin() { state.odd[key] = number(3) }
    default: change(&state.liars) { $0.liar() }
    }
  }

  private mutating func changeChoice(_ state: inout Menagerie) {
    switch number(12) {
    case 0: state.optional = coin() ? nil : text()
    case 1: state.nested = pick([nil, .some(nil), 1, 2])
    case 2: state.shape = shape()
    case 3:
      if case .named(let name, let inner?) = state.shape {
        state.shape = .named(name, coin() ? inner : shape())
      } else {
        state.shape = .named(text(), shape())
      }
    case 4: state.result = coin() ? .success(number(3)) : .failure(.init(code: number(3)))
    case 5: state.liar = liar()
    case 6: state.child = coin() ? nil : child()
    case 7, 8: if state.child != nil { change(&state.child) { $0.change(&$1) } }
    case 9: state.path.append(child())
    case 10: if !state.path.isEmpty { state.path.removeLast() }
    default:
      if let id = state.path.ids.randomElement(using: &self) {
        if coin() {
          change(&state.path[id: id]) { $0.change(&$1) }
        } else {
          state.path[id: id] = nil
        }
      }
    }
  }

  private mutating func changeReference(_ state: inout Menagerie) {
    switch number(23) {
    case 0: state.box.value += 1
    case 1: state.box = coin() ? box() : state.boxed.inner.box
    case 2: state.maybeBox = pick([nil, box(), state.box])
    case 3: state.maybeBox?.value += 1
    case 4: state.boxed.count += 1
    case 5: state.boxed.inner.box.value += 1
    case 6:
      state.boxed.inner.choice = pick([.none, .box(box()), .box(state.box), .count(number(3))])
    case 7: if case .box(let box) = state.boxed.inner.choice { box.value += 1 }
    case 8: state.boxed = .init()
    case 9: change(&state.boxes) { $0.box() }
    case 10: state.boxes.randomElement(using: &self)?.value += 1
    case 11: change(&state.holders) { .init(id: $0.number(5), box: $0.coin() ? nil : $0.box()) }
    case 12: state.holders.randomElement(using: &self)?.box?.value += 1
    case 13: state.model.name = text()
    case 14: state.model.box.value += 1
    case 15: change(&state.models) { Model(name: $0.text(), box: $0.box()) }
    case 16: state.models.randomElement(using: &self)?.box.value += 1
    case 17: state.live += 1
    case 18:
      var parcels = Array(state.parcels)
      change(&parcels) { Menagerie.Parcel(id: $0.number(20), box: $0.coin() ? nil : $0.box()) }
      state.parcels = IdentifiedArray(parcels, uniquingIDsWith: { old, _ in old })
    case 19, 20:
      if let id = state.parcels.ids.randomElement(using: &self) {
        change(&state.parcels[id: id]) { $0.change(&$1) }
      }
    case 21: state.parcels.randomElement(using: &self)?.box?.value += 1
    default: state.json = pick([.null, ["$some": .null], [1, 2], ["$a": "b"], 1])
    }
  }

  private mutating func change(_ parcel: inout Menagerie.Parcel) {
    switch number(5) {
    case 0: parcel.note = text()
    case 1: parcel.box = coin() ? nil : box()
    case 2: parcel.$weight.withLock { $0 += 1 }
    case 3: parcel.$labels.withLock { $0.append(text()) }
    default: parcel.$weight.withLock { _ in }
    }
  }

  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
