#if canImport(SwiftUI)
import Foundation
import ImageIO
public import ReplayEngine
public import SwiftUI
public import TCACore
import UniformTypeIdentifiers

extension ReplayPicture {
  /// Draws a view as a PNG image.
  ///
  /// ```swift
  /// try .view(CounterFace(count: state.count), width: 200, height: 80, description: "\(state.count)")
  /// ```
  ///
  /// `ImageRenderer` draws the view. Parts that UIKit or AppKit would draw are missing.
  ///
  /// - Parameters:
  ///   - view: The view to draw.
  ///   - width: The width in points.
  ///   - height: The height in points.
  ///   - scale: The number of pixels per point.
  ///   - description: A description for people who can't see the image.
  /// - Returns: The picture as PNG.
  /// - Throws: `PictureRenderingError` if the system returns no image.
  @MainActor
  public static func view(
    _ view: some View,
    width: Double,
    height: Double,
    scale: Double = 2,
    description: String = ""
  ) throws -> ReplayPicture {
    let renderer = ImageRenderer(content: view.frame(width: width, height: height))
    renderer.scale = scale
    let data = NSMutableData()
    guard let image = renderer.cgImage,
      let destination = CGImageDestinationCreateWithData(
        data as CFMutableData,
        UTType.png.identifier as CFString,
        1,
        nil
      )
    else { throw PictureRenderingError() }
    CGImageDestinationAddImage(destination, image, nil)
    guard CGImageDestinationFinalize(destination) else { throw PictureRenderingError() }
    return .png(data as Data, width: width, height: height, description: description)
  }

  /// Draws a view of a store that has a given state.
  ///
  /// The reducer of the store does nothing.
  ///
  /// ```swift
  /// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() } picture: { state in
  ///   try .view(of: state, width: 390, height: 844) { (store: StoreOf<AppFeature>) in AppView(store: store) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state of the store.
  ///   - width: The width in points.
  ///   - height: The height in points.
  ///   - scale: The number of pixels per point.
  ///   - description: A description for people who can't see the image.
  ///   - content: A closure that makes the view for the store.
  /// - Returns: The picture as PNG.
  /// - Throws: `PictureRenderingError` if the system returns no image.
  @MainActor
  public static func view<State, Action>(
    of state: State,
    width: Double,
    height: Double,
    scale: Double = 2,
    description: String = "",
    @ViewBuilder content: (Store<State, Action>) -> some View
  ) throws -> ReplayPicture {
    let store = Store<State, Action>(initialState: state) { EmptyReducer() }
    return try view(
      content(store),
      width: width,
      height: height,
      scale: scale,
      description: description
    )
  }
}

/// An error that reports that the system returned no image of a view.
///
/// The view may have no size, or memory may be exhausted.
public struct PictureRenderingError: Error, CustomStringConvertible {
  /// A message that states the problem and the kind of view that is expected.
  public var description: String {
    "the view could not be drawn; expected one with a size and without views of UIKit or AppKit"
  }
}
#endif
