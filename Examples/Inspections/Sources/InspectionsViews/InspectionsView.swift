#if canImport(SwiftUI)
import InspectionsFeature
import SwiftUI
import TCACore

/// The list of sites, and the screens above it.
package struct InspectionsView: View {
  @Bindable private var store: StoreOf<Inspections>

  /// Creates a view of a store.
  package init(store: StoreOf<Inspections>) { self.store = store }

  /// The content of the view.
  package var body: some View {
    NavigationStack(path: $store.scope(\.path, action: \.path)) {
      List {
        TextField("Search", text: $store.search)
        ForEach(store.listed) { site in
          NavigationLink(state: Inspections.Path.State.site(SiteDetail.State(site: site))) {
            SiteRow(site: site)
          }
        }
      }
      .navigationTitle("Inspections")
      .toolbar {
        Button("Order") { store.send(.orderButtonTapped) }
        Button("Add") { store.send(.addButtonTapped) }
      }
    } destination: { store in
      switch store.case {
      case .site(let store): SiteDetailView(store: store)
      case .visit(let store): VisitRecorderView(store: store)
      }
    }
    .sheet(item: $store.scope(\.destination?.add, action: \.destination.add)) { store in
      NavigationStack { SiteFormView(store: store) }
    }
    .confirmationDialog($store.scope(\.destination?.order, action: \.destination.order))
  }
}

private struct SiteRow: View {
  let site: Site

  var body: some View {
    HStack {
      Text(site.name)
      Spacer()
      Text(site.visits.count.description)
    }
  }
}
#endif
