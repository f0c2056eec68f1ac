// swift-format-ignore-file: AmbiguousTrailingClosureOverload

package import ActionLog

/// An observer of the calls that effects make to dependency clients.
package protocol CallObserver: AnyObject, Sendable {
  /// Called before a call.
  ///
  /// - Parameters:
  ///   - id: The observer's id for the effect.
  ///   - endpoint: The client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments, in the order of the parameters.
  /// - Returns: The observer's number for the call; `nil` if it does not need to observe the end.
  func effect(_ id: EffectID, willCall endpoint: String, with arguments: [Any]) -> Int?
  /// Called on any thread after a call has returned.
  func call(_ number: Int, didReturn value: Any, wasCancelled: Bool)
  /// Called on any thread after a call has thrown.
  func call(_ number: Int, didThrow error: any Error, wasCancelled: Bool)
}

/// The observers of an effect's calls.
///
/// Most effects have none.
struct CallScope: Sendable {
  private let observers: [(observer: any CallObserver, id: EffectID)]

  /// Finds the call observers among an effect's observers; `nil` if there are none.
  init?(_ tags: [EffectTag]) {
    observers = tags.compactMap { tag in tag.observer.calls.map { ($0, tag.id) } }
    if observers.isEmpty { return nil }
  }

  /// The scope of the effect that the current code belongs to; `nil` outside of effects.
  ///
  /// The reducers and observers of a store that handles an action of the effect don't belong to the effect.
  static var current: CallScope? { EffectContext.current?.calls }

  /// Notifies the observers that a call begins.
  ///
  /// - Returns: The observers that need to observe its end, with their numbers for the call.
  fileprivate func announce(
    _ endpoint: String,
    _ arguments: [Any]
  ) -> [(observer: any CallObserver, number: Int)] {
    observers.compactMap { observer, id in
      observer.effect(id, willCall: endpoint, with: arguments).map { (observer, $0) }
    }
  }
}

/// Whether the current code runs in an effect whose calls are recorded.
///
/// `@DependencyClient` checks this when an endpoint is read, and returns the unwrapped closure if no observer listens.
public var _$recordsCalls: Bool { CallScope.current != nil }

/// A recorded call of an endpoint in an effect.
///
/// ```swift
/// // What `@DependencyClient` writes around `fetch(id)`, in short.
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
/// The code that `@DependencyClient` generates surrounds the call and does not move it, so the call keeps its isolation
/// and task.
public struct _$EndpointCall: Sendable {
  private let observers: [(observer: any CallObserver, number: Int)]

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - key: The client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments. Evaluated if an observer listens.
  public init(_ key: String, _ arguments: @autoclosure () -> [Any]) {
    observers = CallScope.current?.announce(key, arguments()) ?? []
  }

  /// Ends a call that returned a value.
  public func returned<Value>(_ value: Value) {
    for (observer, number) in observers {
      observer.call(number, didReturn: value, wasCancelled: Task.isCancelled)
    }
  }

  /// Ends a call that returned a noncopyable value, which can't be recorded.
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

/// Returns an argument of a call, for a recording.
public func _$argument<Value>(_ value: Value) -> Any { value }

/// Returns a log value for an argument that is a function, which may be nonescaping.
///
/// A log stores the type of a function, and no other data.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// Returns a log value for an argument that is an asynchronous function.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) async throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// Returns a log value for an argument that is a function with the given type name.
public func _$function(_ type: String) -> Any { opaqueValue(type) }

/// Returns the log form of a value of which a log stores just the type.
private func opaqueValue(_ type: String) -> JSON { ["$opaque": .string(type)] }
