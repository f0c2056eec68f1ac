// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Presentations, stacks and apps. Each comment names the page of developer.apple.com/documentation/swiftui that
// describes the declaration.

public import Foundation
public import UniformTypeIdentifiers

// .../navigationstack
public struct NavigationStack<Data, Root: View>: PrimitiveView {
  // .../navigationstack/init(path:root:)
  public init(path _: Binding<Data>, @ViewBuilder root _: () -> Root)
  where
    Data: MutableCollection,
    Data: RandomAccessCollection,
    Data: RangeReplaceableCollection,
    Data.Element: Hashable
  {}
  // .../navigationstack/init(root:)
  public init(@ViewBuilder root _: () -> Root) where Data == NavigationPath {}
}

// .../navigationpath
public struct NavigationPath {}

// .../navigationlink
public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {}

extension NavigationLink where Destination == Never {
  // .../navigationlink/init(value:label:)
  public init<P: Hashable>(value _: P?, @ViewBuilder label _: () -> Label) {}
}

// .../viewmodifier
@MainActor @preconcurrency
public protocol ViewModifier {
  // .../viewmodifier/body
  associatedtype Body: View
  // .../viewmodifier/body(content:)
  @ViewBuilder func body(content: Content) -> Body
  // .../viewmodifier/content
  typealias Content = _ViewModifier_Content<Self>
}

// .../viewmodifier/content
public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {}

// .../modifiedcontent
public struct ModifiedContent<Content, Modifier> {}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {}

extension View {
  // .../view/modifier(_:)
  nonisolated public func modifier<T>(_: T) -> ModifiedContent<Self, T> { fatalError() }

  // .../view/environment(_:_:)
  nonisolated public func environment<V>(
    _: WritableKeyPath<EnvironmentValues, V>,
    _: V
  ) -> some View { self }

  // .../view/sheet(item:ondismiss:content:)
  nonisolated public func sheet<Item: Identifiable>(
    item _: Binding<Item?>,
    onDismiss _: (() -> Void)? = nil,
    @ViewBuilder content _: @escaping (Item) -> some View
  ) -> some View { self }

  // .../view/sheet(ispresented:ondismiss:content:)
  nonisolated public func sheet(
    isPresented _: Binding<Bool>,
    onDismiss _: (() -> Void)? = nil,
    @ViewBuilder content _: @escaping () -> some View
  ) -> some View { self }

  // .../view/fullscreencover(item:ondismiss:content:)
  @available(macOS, unavailable)
  nonisolated public func fullScreenCover<Item: Identifiable>(
    item _: Binding<Item?>,
    onDismiss _: (() -> Void)? = nil,
    @ViewBuilder content _: @escaping (Item) -> some View
  ) -> some View { self }

  // .../view/popover(item:attachmentanchor:arrowedge:content:)
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  nonisolated public func popover<Item: Identifiable>(
    item _: Binding<Item?>,
    @ViewBuilder content _: @escaping (Item) -> some View
  ) -> some View { self }

  // .../view/navigationdestination(item:destination:)
  nonisolated public func navigationDestination<D: Hashable>(
    item _: Binding<D?>,
    @ViewBuilder destination _: @escaping (D) -> some View
  ) -> some View { self }

  // .../view/navigationdestination(for:destination:)
  nonisolated public func navigationDestination<D: Hashable>(
    for _: D.Type,
    @ViewBuilder destination _: @escaping (D) -> some View
  ) -> some View { self }

  // .../view/alert(_:ispresented:presenting:actions:message:)
  nonisolated public func alert<T>(
    _: Text,
    isPresented _: Binding<Bool>,
    presenting _: T?,
    @ViewBuilder actions _: (T) -> some View,
    @ViewBuilder message _: (T) -> some View
  ) -> some View { self }

  // .../view/confirmationdialog(_:ispresented:titlevisibility:presenting:actions:message:)
  nonisolated public func confirmationDialog<T>(
    _: Text,
    isPresented _: Binding<Bool>,
    titleVisibility _: Visibility = .automatic,
    presenting _: T?,
    @ViewBuilder actions _: (T) -> some View,
    @ViewBuilder message _: (T) -> some View
  ) -> some View { self }

  // .../view/background(alignment:content:)
  nonisolated public func background(@ViewBuilder content _: () -> some View) -> some View { self }

  // .../view/overlay(alignment:content:)
  nonisolated public func overlay(
    alignment _: Alignment = .center,
    @ViewBuilder content _: () -> some View
  ) -> some View { self }

  // .../view/frame(minwidth:idealwidth:maxwidth:minheight:idealheight:maxheight:alignment:)
  nonisolated public func frame(maxHeight _: CGFloat? = nil) -> some View { self }

  // .../view/frame(width:height:alignment:)
  nonisolated public func frame(
    width _: CGFloat? = nil,
    height _: CGFloat? = nil
  ) -> some View { self }

  // .../view/navigationtitle(_:)
  nonisolated public func navigationTitle(_: LocalizedStringKey) -> some View { self }

  // .../view/navigationtitle(_:)
  @_disfavoredOverload
  nonisolated public func navigationTitle(_: some StringProtocol) -> some View { self }

  // .../view/toolbar(content:)
  nonisolated public func toolbar(@ViewBuilder content _: () -> some View) -> some View { self }

  // .../view/tag(_:)
  nonisolated public func tag(_: some Hashable) -> some View { self }

  // .../view/id(_:)
  nonisolated public func id(_: some Hashable) -> some View { self }

  // .../view/onappear(perform:)
  nonisolated public func onAppear(perform _: (() -> Void)? = nil) -> some View { self }

  // .../view/onchange(of:initial:_:)
  nonisolated public func onChange<V: Equatable>(
    of _: V,
    initial _: Bool = false,
    _: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View { self }

  // .../view/fileimporter(ispresented:allowedcontenttypes:oncompletion:)
  nonisolated public func fileImporter(
    isPresented _: Binding<Bool>,
    allowedContentTypes _: [UTType],
    onCompletion _: @escaping (Result<URL, any Error>) -> Void
  ) -> some View { self }

  // .../view/disabled(_:)
  nonisolated public func disabled(_: Bool) -> some View { self }
}

// .../app
@MainActor @preconcurrency
public protocol App {
  // .../app/body-swift.associatedtype
  associatedtype Body: Scene
  // .../app/body-swift.property
  @SceneBuilder var body: Body { get }
  // .../app/init()
  init()
}

extension App {
  // .../app/main()
  public static func main() {}
}

// .../scene
@MainActor @preconcurrency
public protocol Scene {
  // .../scene/body-swift.associatedtype
  associatedtype Body: Scene
  // .../scene/body-swift.property
  @SceneBuilder var body: Body { get }
}

// .../scene (conforming types)
extension Never: Scene {}

// .../scenebuilder
@resultBuilder
public enum SceneBuilder {
  // .../scenebuilder/buildblock(_:)
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

// .../windowgroup
public struct WindowGroup<Content: View>: Scene {
  public var body: Never { fatalError() }
  // .../windowgroup/init(content:)
  nonisolated public init(@ViewBuilder content _: () -> Content) {}
}
