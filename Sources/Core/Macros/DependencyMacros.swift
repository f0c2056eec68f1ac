/// Turns a struct of closures into a dependency client whose endpoints are unimplemented until they are set.
///
/// ```swift
/// @DependencyClient
/// struct APIClient {
///   var fetch: @Sendable (_ id: Int) async throws -> User
///   var isReachable: @Sendable () -> Bool = { false }
/// }
/// try await APIClient().fetch(id: 1)   // reports an issue and throws
/// ```
@attached(extension, conformances: _DependencyClient)
@attached(member, names: named(init), named(_$Import))
@attached(memberAttribute)
public macro DependencyClient() =
  #externalMacro(module: "TCAMacros", type: "DependencyClientMacro")

/// A dependency client, to which `@DependencyClient` adds this conformance.
///
/// The conformance keeps the client nonisolated in modules whose default isolation is the main actor.
public protocol _DependencyClient: SendableMetatype {}

/// Turns a closure into an endpoint of a dependency client.
///
/// `@DependencyClient` adds this macro to each of its closures.
///
/// An endpoint can be called as a method if its closure has parameter names or the macro has a `method` argument.
///
/// ```swift
/// @DependencyClient
/// struct APIClient {
///   @DependencyEndpoint(method: "user") var fetchUser: @Sendable (_ id: Int) async throws -> User
/// }
/// try await APIClient().user(id: 1)  // calls the endpoint `fetchUser`
/// ```
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEndpoint(method: String = "") =
  #externalMacro(module: "TCAMacros", type: "DependencyEndpointMacro")

/// Excludes a closure from the endpoints of a `@DependencyClient`.
///
/// ```swift
/// @DependencyClient
/// struct APIClient {
///   var fetch: @Sendable (_ id: Int) async throws -> User
///   @DependencyEndpointIgnored var log: @Sendable (String) -> Void = { _ in }
/// }
/// ```
@attached(peer)
public macro DependencyEndpointIgnored() =
  #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Adds a dependency to `DependencyValues`.
///
/// The initial value of the property is the test value.
///
/// ```swift
/// extension DependencyValues {
///   @DependencyEntry(liveValue: APIClient.live) var api = APIClient()
/// }
/// ```
///
/// If the macro names the key and has no live value, another module, such as the app's, can provide the live value:
///
/// ```swift
/// extension DependencyValues {
///   @DependencyEntry("APIKey") public var api = APIClient()
/// }
/// // In the app's module:
/// extension DependencyValues.APIKey: DependencyKey {
///   public static var liveValue: APIClient { .live }
/// }
/// ```
///
/// The type of the property can be omitted, except in modules whose default isolation is the main actor. Without the
/// type, the values are created once for the process, and not once for each test.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry() =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a live value to `DependencyValues`.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(liveValue: @autoclosure () -> Value) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a preview value to `DependencyValues`.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(previewValue: @autoclosure () -> Value) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a live value and a preview value to `DependencyValues`.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`, and gives its key a name.
///
/// The initial value of the property is the test value. Another module can provide the live value in an extension of
/// the key.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry(_ key: StaticString) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a live value to `DependencyValues`, and gives its key a name.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  liveValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a preview value to `DependencyValues`, and gives its key a name.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency with a live value and a preview value to `DependencyValues`, and gives its key a name.
///
/// The initial value of the property is the test value.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")
