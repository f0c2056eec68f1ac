internal import ActionLog
internal import ComposableArchitecture

/// Finds the parts of a state that a copy shares with it: shared values, objects and functions.
package enum HeldObject {
  /// The type of the first such part of a state; `nil` when a copy is all of it.
  package static func first(in state: Any) -> String? {
    // No recursion: states may be nested deeply.
    var waiting: [Any] = [state]
    while let value = waiting.popLast() {
      if let box = value as? any ValueBox {
        waiting += box.contents
        continue
      }
      let type = type(of: value)
      if value is any ReferenceHolder { return LogTypeName.of(type) }
      let name = String(reflecting: type)
      // Reducers do not see the registrar of a state.
      if name.contains("ObservationStateRegistrar") || value is any LogPlainValue { continue }
      let mirror = Mirror(reflecting: value)
      // A function has neither a style nor children.
      let isFunction = mirror.displayStyle == nil && name.contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }
}

/// Types whose values refer to something that others change.
private protocol ReferenceHolder {}
extension Shared: ReferenceHolder {}
extension SharedReader: ReferenceHolder {}

/// Values that the library keeps in an object for itself.
private protocol ValueBox { var contents: [Any] { get } }

extension PresentationState: ValueBox {
  fileprivate var contents: [Any] { wrappedValue.map { [$0] } ?? [] }
}

extension StackState: ValueBox {
  fileprivate var contents: [Any] { Array(self) }
}

extension IdentifiedArray: ValueBox {
  fileprivate var contents: [Any] { elements.map { $0 } }
}

/// Types without parts, of which there are many in a state.
private protocol LogPlainValue {}
extension Int: LogPlainValue {}
extension String: LogPlainValue {}
extension Bool: LogPlainValue {}
extension Double: LogPlainValue {}
