// swift-format-ignore-file: AmbiguousTrailingClosureOverload

package import ActionLog

/// An observer of the calls that effects make of dependency clients.
package protocol CallObserver: AnyObject, Sendable {
  /// Takes note of a call.
  ///
  /// - Parameters:
  ///   - id: The observer's id for the effect.
  ///   - endpoint: The client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments, in the order of the parameters.
  /// - Returns: The observer's number for the call; `nil` when it does not want to know the end.
  func effect(_ id: EffectID, willCall endpoint: String, with arguments: [Any]) -> Int?
  /// Takes note that a call has returned, on any thread.
  func call(_ number: Int, didReturn value: Any, wasCancelled: Bool)
  /// Takes note that a call has thrown, on any thread.
  func call(_ number: Int, didThrow error: any Error, wasCancelled: Bool)
}

/// The observers of an effect's calls; there are none for nearly all effects.
struct CallScope: Sendable {
  private let observers: [(observer: any CallObserver, id: EffectID)]

  /// The observers among those of an effect; `nil` when there are none.
  init?(_ tags: [EffectTag]) {
    observers = tags.compactMap { tag in tag.observer.calls.map { ($0, tag.id) } }
    if observers.isEmpty { return nil }
  }

  /// The scope that the current code runs in: that of an effect, but not within the reducers and observers of a store to which the
  /// effect sends.
  static var current: CallScope? { EffectContext.current?.calls }

  /// Tells the observers of a call.
  ///
  /// - Returns: Those that want to know how it ends, with their numbers for it.
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
/// `@DependencyClient` asks when an endpoint is read, and gives the plain closure when no observer listens.
public var _$recordsCalls: Bool { CallScope.current != nil }

/// A call of an endpoint in an effect, for those who record it.
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
/// `@DependencyClient` writes it around the call, so that the call itself stays where it is: with the same isolation, in the same task.
public struct _$EndpointCall: Sendable {
  private let observers: [(observer: any CallObserver, number: Int)]

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - key: The client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments; evaluated only when an observer listens.
  public init(_ key: String, _ arguments: @autoclosure () -> [Any]) {
    observers = CallScope.current?.announce(key, arguments()) ?? []
  }

  /// Ends the call: it has returned.
  public func returned<Value>(_ value: Value) {
    for (observer, number) in observers {
      observer.call(number, didReturn: value, wasCancelled: Task.isCancelled)
    }
  }

  /// Ends the call: it has returned a value that cannot be copied, and so not be written.
  @_disfavoredOverload
  public func returned<Value: ~Copyable>(_ value: borrowing Value) {
    returned(opaqueValue("\(Value.self)"))
  }

  /// Ends the call: it has thrown.
  public func threw(_ error: any Error) {
    for (observer, number) in observers {
      observer.call(number, didThrow: error, wasCancelled: Task.isCancelled)
    }
  }
}

/// An argument of a call.
public func _$argument<Value>(_ value: Value) -> Any { value }

/// An argument of a call that is a function, also one that does not escape: a log has no more than that.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// An argument of a call that is an asynchronous function.
public func _$argument<each Parameter, Result, Failure: Error>(
  _: (repeat each Parameter) async throws(Failure) -> Result
) -> Any {
  opaqueValue("Function")
}

/// An argument of a call that is a function whose type is known by name.
public func _$function(_ type: String) -> Any { opaqueValue(type) }

/// A value as a log has it that knows no more than its type.
private func opaqueValue(_ type: String) -> JSON { ["$opaque": .string(type)] }
