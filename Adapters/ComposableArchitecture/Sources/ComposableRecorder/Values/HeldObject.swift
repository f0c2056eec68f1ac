internal import ActionLog
internal import ComposableArchitecture

/// Finds the parts of a state that its copies share: shared values, objects and functions.
package enum HeldObject {
  /// Returns the type of the first such part of a state; `nil` if copies are independent.
  package static func first(in state: Any) -> String? {
    // Without recursion, because states may be deeply nested.
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
      // A function has neither a display style nor children.
      let isFunction = mirror.displayStyle == nil && name.contains("->")
      if mirror.displayStyle == .class || isFunction { return LogTypeName.of(type) }
      waiting += mirror.children.map(\.value)
    }
    return nil
  }
}

/// Types whose values refer to storage that others change.
private protocol ReferenceHolder {}
extension Shared: ReferenceHolder {}
extension SharedReader: ReferenceHolder {}

/// Values that the library stores in a private object.
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

/// Types without parts, which are frequent in states.
private protocol LogPlainValue {}
extension Int: LogPlainValue {}
extension String: LogPlainValue {}
extension Bool: LogPlainValue {}
extension Double: LogPlainValue {}
