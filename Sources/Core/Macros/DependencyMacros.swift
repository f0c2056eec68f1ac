/// Makes a struct of closures a dependency client, whose endpoints are unimplemented until they are set.
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

/// A dependency client, which belongs to no actor, also in a module whose types are the main actor's by default.
public protocol _DependencyClient: SendableMetatype {}

/// Makes a closure an endpoint of a dependency client, which `@DependencyClient` does with each of its closures.
///
/// A closure whose parameters have names, or one with `method:`, can be called as a method.
///
/// ```swift
/// @DependencyClient
/// struct APIClient {
///   @DependencyEndpoint(method: "user") var fetchUser: @Sendable (_ id: Int) async throws -> User
/// }
/// try await APIClient().user(id: 1)  // as the method `user`
/// ```
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEndpoint(method: String = "") =
  #externalMacro(module: "TCAMacros", type: "DependencyEndpointMacro")

/// Keeps `@DependencyClient` from making a closure an endpoint.
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

/// Adds a dependency to `DependencyValues`; the value that the property is given is the one in tests.
///
/// ```swift
/// extension DependencyValues {
///   @DependencyEntry(liveValue: APIClient.live) var api = APIClient()
/// }
/// ```
///
/// Without a live value another module can add one, if the key has a name:
///
/// ```swift
/// extension DependencyValues {
///   @DependencyEntry("APIKey") public var api = APIClient()
/// }
/// // where the app is
/// extension DependencyValues.APIKey: DependencyKey {
///   public static var liveValue: APIClient { .live }
/// }
/// ```
///
/// The type of the property may be left out, except in modules whose types are the main actor's by default. Its values are
/// then made once for the process, and not for each test.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry() =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`; the value that the property is given is the one in tests.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(liveValue: @autoclosure () -> Value) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`; the value that the property is given is the one in tests.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(previewValue: @autoclosure () -> Value) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`; the value that the property is given is the one in tests.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: prefixed(__Key_))
public macro DependencyEntry<Value>(
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`, whose key has a name.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry(_ key: StaticString) =
  #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`, whose key has a name.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  liveValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`, whose key has a name.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")

/// Adds a dependency to `DependencyValues`, whose key has a name.
@attached(accessor, names: named(get), named(set), named(_modify))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ key: StaticString,
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "TCAMacros", type: "DependencyEntryMacro")
