// swift-format-ignore-file: AmbiguousTrailingClosureOverload

package import ActionLog

/// An observer of the calls that effects make to dependency clients.
package protocol DependencyCallObserver: AnyObject, Sendable {
  /// Called before an effect calls an endpoint.
  ///
  /// - Parameters:
  ///   - id: The observer's id for the effect.
  ///   - endpoint: The name of the client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments, in the order of the parameters.
  /// - Returns: The observer's number for the call; `nil` if the observer doesn't need to know how the call ends.
  func effect(_ id: EffectID, willCall endpoint: String, with arguments: [Any]) -> Int?
  /// Called on any thread after a call has returned a value.
  func call(_ number: Int, didReturn value: Any, wasCancelled: Bool)
  /// Called on any thread after a call has thrown an error.
  func call(_ number: Int, didThrow error: any Error, wasCancelled: Bool)
}

/// The observers of the calls that an effect makes.
///
/// Most effects have no such observers.
struct DependencyCallScope: Sendable {
  private let observers: [(observer: any DependencyCallObserver, id: EffectID)]

  /// Creates a scope with the call observers of an effect, or `nil` if there are none.
  init?(_ tags: [EffectObserverTag]) {
    observers = tags.compactMap { tag in tag.observer.calls.map { ($0, tag.id) } }
    if observers.isEmpty { return nil }
  }

  /// The scope of the effect that runs the current code; `nil` outside of effects.
  ///
  /// When an effect sends an action, the reducers and observers of the store run outside of the scope.
  static var current: DependencyCallScope? { EffectContext.current?.calls }

  /// Notifies the observers that a call begins.
  ///
  /// - Returns: The observers that need to know how the call ends, with their numbers for the call.
  fileprivate func announce(
    _ endpoint: String,
    _ arguments: [Any]
  ) -> [(observer: any DependencyCallObserver, number: Int)] {
    observers.compactMap { observer, id in
      observer.effect(id, willCall: endpoint, with: arguments).map { (observer, $0) }
    }
  }
}

/// Whether the current code runs in an effect whose calls are recorded.
///
/// `@DependencyClient` checks this property when code reads an endpoint. If it is `false`, the code receives the
/// endpoint's closure itself.
public var _$recordsCalls: Bool { DependencyCallScope.current != nil }

/// A recorded call of an endpoint in an effect.
///
/// ```swift
/// // The code that `@DependencyClient` generates for `fetch(id)`, abbreviated.
/// let call = _$EndpointCall("APIClient.fetch", [_$argument(id)])
/// do {
///   let value = try await fetch(id)
///   call.returned(value)
///   return value
/// } catch {
///   call.threw(error)
///   throw error
/// }
/// ```
///
/// The generated code surrounds the call without moving it to another function, so the call keeps its isolation and its
/// task.
public struct _$EndpointCall: Sendable {
  private let observers: [(observer: any DependencyCallObserver, number: Int)]

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - key: The name of the client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments of the call, evaluated only if an observer listens.
  public init(_ key: String, _ arguments: @autoclosure () -> [Any]) {
    observers = DependencyCallScope.current?.announce(key, arguments()) ?? []
  }

  /// Ends a call that returned a value.
  public func returned<Value>(_ value: Value) {
    for (observer, number) in observers {
      observer.call(number, didReturn: value, wasCancelled: Task.isCancelled)
    }
  }

  /// Ends a call that returned a noncopyable value.
  ///
  /// Only the type of such a value can be recorded.
  @_disfavoredOverload
  public func returned<Value: ~Copyable>(_ value: borrowing Value) {
    returned(opaqueValue("\(Value.self)"))
  }

  /// Ends a call that threw an error.
  public func threw(_ error: any Error) {
    for (observer, number) in observers {
      observer.call(number, didThrow: error, wasCancelled: Task.isCancelled)
    }
  }
}

/// Returns the value to record for an argument of a call: the argument itself.
public func _$argument<Value>(_ value: Value) -> Any { value }

/// Returns the value to record for an argument that is a function.
///
/// The function can be nonescaping. A log stores only a tag for a function.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// Returns the value to record for an argument that is an asynchronous function.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) async throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// Returns the value to record for an argument that is a function, given the name of the function's type.
public func _$function(_ type: String) -> Any { opaqueValue(type) }

/// Returns the JSON for a value of which a log stores just the type: `{"$opaque": …}`.
private func opaqueValue(_ type: String) -> JSON { ["$opaque": .string(type)] }
