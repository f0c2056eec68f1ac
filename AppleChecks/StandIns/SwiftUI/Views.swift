// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// SwiftUI, reduced to the parts that the project uses. Each comment names the page of
// developer.apple.com/documentation/swiftui that describes the declaration.

public import Foundation

// .../view
@MainActor @preconcurrency
public protocol View {
  // .../view/body-swift.associatedtype
  associatedtype Body: View
  // .../view/body
  @ViewBuilder var body: Body { get }
}

// A view without a body, like SwiftUI's own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

// .../view (conforming types)
extension Never: View {
  public var body: Never { fatalError() }
}

// .../view (conforming types)
extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

// .../viewbuilder
@resultBuilder
public enum ViewBuilder {
  // .../viewbuilder/buildexpression(_:)
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  // .../viewbuilder/buildblock(_:)
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  // .../viewbuilder/buildblock(_:)
  @_disfavoredOverload
  public static func buildBlock<each Content: View>(
    _: repeat each Content
  ) -> TupleView<(repeat each Content)> { fatalError() }
  // .../viewbuilder/buildif(_:)
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  // .../viewbuilder/buildeither(first:)
  public static func buildEither<First: View, Second: View>(
    first _: First
  ) -> _ConditionalContent<First, Second> { fatalError() }
  // .../viewbuilder/buildeither(second:)
  public static func buildEither<First: View, Second: View>(
    second _: Second
  ) -> _ConditionalContent<First, Second> { fatalError() }
}

// .../tupleview
public struct TupleView<T>: PrimitiveView {}

// .../viewbuilder/buildeither(first:)
public struct _ConditionalContent<First: View, Second: View>: PrimitiveView {}

// .../emptyview
public struct EmptyView: PrimitiveView {}

// .../text
public struct Text: PrimitiveView {
  // .../text/init(_:)
  @_disfavoredOverload
  nonisolated public init(_: some StringProtocol) {}
  // .../text/init(_:tablename:bundle:comment:)
  nonisolated public init(_: LocalizedStringKey) {}
  // .../text/init(verbatim:)
  nonisolated public init(verbatim _: String) {}
}

// .../localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
  public init(stringLiteral _: String) {}
}

// .../color
public struct Color: PrimitiveView, Sendable {
  // .../color/gray
  public static let gray = Color()
  // .../color/white
  public static let white = Color()
}

// .../button
public struct Button<Label: View>: PrimitiveView {
  // .../button/init(role:action:label:)
  public init(
    role _: ButtonRole?,
    action _: @escaping @MainActor () -> Void,
    @ViewBuilder label _: () -> Label
  ) {}
}

extension Button where Label == Text {
  // .../button/init(_:action:)
  public init(_: LocalizedStringKey, action _: @escaping @MainActor () -> Void) {}
  // .../button/init(_:role:action:)
  public init(
    _: LocalizedStringKey,
    role _: ButtonRole?,
    action _: @escaping @MainActor () -> Void
  ) {}
}

// .../buttonrole
public struct ButtonRole: Equatable, Sendable {
  // .../buttonrole/cancel
  public static let cancel = ButtonRole()
  // .../buttonrole/destructive
  public static let destructive = ButtonRole()
}

// .../sharelink
public struct ShareLink: PrimitiveView {
  // .../sharelink/init(item:subject:message:)
  public init(item _: URL) {}
}

// .../form
public struct Form<Content: View>: PrimitiveView {
  // .../form/init(content:)
  public init(@ViewBuilder content _: () -> Content) {}
}

// .../list
public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {
  // .../list/init(content:)
  public init(@ViewBuilder content _: () -> Content) where SelectionValue == Never {}
}

// .../section
public struct Section<Parent, Content, Footer> {}

extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  // .../section/init(_:content:)
  nonisolated public init(_: LocalizedStringKey, @ViewBuilder content _: () -> Content) {}
}

// .../hstack
public struct HStack<Content: View>: PrimitiveView {
  // .../hstack/init(alignment:spacing:content:)
  public init(@ViewBuilder content _: () -> Content) {}
}

// .../vstack
public struct VStack<Content: View>: PrimitiveView {
  // .../vstack/init(alignment:spacing:content:)
  public init(@ViewBuilder content _: () -> Content) {}
}

// .../spacer
public struct Spacer: PrimitiveView {
  // .../spacer/init(minlength:)
  public init() {}
}

// .../textfield
public struct TextField<Label: View>: PrimitiveView {}

extension TextField where Label == Text {
  // .../textfield/init(_:text:)
  nonisolated public init(_: LocalizedStringKey, text _: Binding<String>) {}
}

// .../toggle
public struct Toggle<Label: View>: PrimitiveView {
  // .../toggle/init(ison:label:)
  public init(isOn _: Binding<Bool>, @ViewBuilder label _: () -> Label) {}
}

extension Toggle where Label == Text {
  // .../toggle/init(_:ison:)
  nonisolated public init(_: LocalizedStringKey, isOn _: Binding<Bool>) {}
  // .../toggle/init(_:ison:)
  @_disfavoredOverload
  nonisolated public init(_: some StringProtocol, isOn _: Binding<Bool>) {}
}

// .../stepper
public struct Stepper<Label: View>: PrimitiveView {}

extension Stepper where Label == Text {
  // .../stepper/init(_:value:in:step:)
  public init<V: Strideable>(_: LocalizedStringKey, value _: Binding<V>, in _: ClosedRange<V>) {}
}

// .../slider
public struct Slider<Label: View, ValueLabel: View>: PrimitiveView {}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
  // .../slider/init(value:in:step:oneditingchanged:)
  nonisolated public init<V: BinaryFloatingPoint>(
    value _: Binding<V>,
    in _: ClosedRange<V>,
    step _: V.Stride = 1
  ) where V.Stride: BinaryFloatingPoint {}
}

// .../alignment
public struct Alignment: Equatable, Sendable {
  // .../alignment/bottom
  public static let bottom = Alignment()
  // .../alignment/center
  public static let center = Alignment()
}

// .../picker
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: PrimitiveView {}

extension Picker where Label == Text {
  // .../picker/init(_:selection:content:)
  public init(
    _: LocalizedStringKey,
    selection _: Binding<SelectionValue>,
    @ViewBuilder content _: () -> Content
  ) {}
}

// .../tabview
public struct TabView<SelectionValue: Hashable, Content: View>: PrimitiveView {
  // .../tabview/init(selection:content:)
  public init(selection _: Binding<SelectionValue>?, @ViewBuilder content _: () -> Content) {}
}

// .../foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View, PrimitiveView where Content: View {}

extension ForEach where Content: View {
  // .../foreach/init(_:id:content:)
  nonisolated public init(
    _: Data,
    id _: KeyPath<Data.Element, ID>,
    @ViewBuilder content _: @escaping (Data.Element) -> Content
  ) {}
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID, Content: View {
  // .../foreach/init(_:content:)
  nonisolated public init(
    _: Data,
    @ViewBuilder content _: @escaping (Data.Element) -> Content
  ) {}
}
