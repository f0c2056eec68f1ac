#if canImport(SwiftUI)
public import SwiftUI

extension View {
  /// Synchronizes the focus of a view with a value of a store, in both directions.
  ///
  /// ```swift
  /// @FocusState var focus: Form.Field?
  /// ...
  /// .bind($store.focus, to: $focus)
  /// ```
  ///
  /// When the view appears, the value of the store determines the focus.
  ///
  /// - Parameters:
  ///   - model: A binding to the value of the store.
  ///   - focus: A binding to the focus state of the view.
  /// - Returns: A view with synchronized focus.
  @MainActor
  public func bind<Value: Hashable>(
    _ model: Binding<Value>,
    to focus: FocusState<Value>.Binding
  ) -> some View {
    onAppear {
      if focus.wrappedValue != model.wrappedValue { focus.wrappedValue = model.wrappedValue }
    }
    .onChange(of: model.wrappedValue) { _, value in
      if focus.wrappedValue != value { focus.wrappedValue = value }
    }
    .onChange(of: focus.wrappedValue) { _, value in
      if model.wrappedValue != value { model.wrappedValue = value }
    }
  }
}
#endif
