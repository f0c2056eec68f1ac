// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Values that views share, and the methods for changing them. Each comment names the page of
// developer.apple.com/documentation/swiftui that describes the declaration.

public import Foundation
public import ImageIO
public import Observation

// .../binding
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  // .../binding/init(get:set:)
  @preconcurrency
  public init(
    get _: @escaping @isolated(any) @Sendable () -> Value,
    set _: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  // .../binding/wrappedvalue
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  // .../binding/projectedvalue
  public var projectedValue: Binding<Value> { self }
  // .../binding/subscript(dynamicmember:)
  public subscript<Subject>(
    dynamicMember _: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { fatalError() }
  // .../binding/animation(_:)
  public func animation(_: Animation? = .default) -> Binding<Value> { self }
  // .../binding/transaction(_:)
  public func transaction(_: Transaction) -> Binding<Value> { self }
}

// .../bindable
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
  private var value: Value
  // .../bindable/wrappedvalue
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
  // .../bindable/projectedvalue
  public var projectedValue: Bindable<Value> { self }
  fileprivate init(value: Value) { self.value = value }
  // The overload for views that assign the property in their initializer with unsuitable types.
  @available(*, unavailable)
  public init(wrappedValue _: Value) { fatalError() }
}

extension Bindable where Value: AnyObject {
  // .../bindable/subscript(dynamicmember:)
  public subscript<Subject>(
    dynamicMember _: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { fatalError() }
}

extension Bindable where Value: AnyObject, Value: Observable {
  // .../bindable/init(wrappedvalue:)
  public init(wrappedValue: Value) { self.init(value: wrappedValue) }
  // .../bindable/init(_:)
  public init(_ wrappedValue: Value) { self.init(value: wrappedValue) }
}

// .../state
@propertyWrapper
public struct State<Value> {
  // .../state/init(wrappedvalue:)
  public init(wrappedValue _: Value) {}
  // .../state/wrappedvalue
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  // .../state/projectedvalue
  public var projectedValue: Binding<Value> { fatalError() }
}

// .../focusstate
@propertyWrapper
public struct FocusState<Value: Hashable> {
  // .../focusstate/binding
  public struct Binding {
    // .../focusstate/binding/wrappedvalue
    public var wrappedValue: Value {
      get { fatalError() }
      nonmutating set {}
    }
  }
  // .../focusstate/init()
  public init<T: Hashable>() where Value == T? {}
  // .../focusstate/wrappedvalue
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  // .../focusstate/projectedvalue
  public var projectedValue: Binding { fatalError() }
}

// .../environment
@propertyWrapper
public struct Environment<Value> {
  // .../environment/init(_:)
  public init(_: KeyPath<EnvironmentValues, Value>) {}
  // .../environment/wrappedvalue
  public var wrappedValue: Value { fatalError() }
}

// .../environmentkey
public protocol EnvironmentKey {
  // .../environmentkey/value
  associatedtype Value
  // .../environmentkey/defaultvalue
  static var defaultValue: Value { get }
}

// .../environmentvalues
public struct EnvironmentValues {
  // .../environmentvalues/init()
  public init() {}
  // .../environmentvalues/subscript(_:)
  public subscript<K: EnvironmentKey>(_: K.Type) -> K.Value {
    get { K.defaultValue }
    set {}
  }
  // .../environmentvalues/openurl
  public var openURL: OpenURLAction { OpenURLAction() }
}

// .../openurlaction
@MainActor @preconcurrency
public struct OpenURLAction {
  nonisolated fileprivate init() {}
  // .../openurlaction/callasfunction(_:completion:)
  public func callAsFunction(_: URL, completion _: @escaping (_ accepted: Bool) -> Void) {}
}

// .../animation
public struct Animation: Hashable, Sendable {
  // .../animation/default
  public static let `default` = Animation()
}

// .../transaction
public struct Transaction {
  // .../transaction/init(animation:)
  public init(animation _: Animation?) {}
}

@available(*, unavailable)
extension Transaction: Sendable {}

// .../withtransaction(_:_:)
public func withTransaction<Result>(
  _: Transaction,
  _ body: () throws -> Result
) rethrows -> Result { try body() }

// .../visibility
public enum Visibility: Hashable, Sendable {
  // .../visibility/automatic
  case automatic
  // .../visibility/visible
  case visible
  // .../visibility/hidden
  case hidden
}

// .../imagerenderer
@MainActor
public final class ImageRenderer<Content: View> {
  // .../imagerenderer/init(content:)
  public init(content _: Content) {}
  // .../imagerenderer/scale
  public var scale: CGFloat = 1
  // .../imagerenderer/cgimage
  public var cgImage: CGImage? { nil }
}
