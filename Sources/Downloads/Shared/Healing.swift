/// The ways to get a unit that was refused or missing: by a fresh address, or later from its origin.
package struct Healing: Sendable {
    /// Refusals that may be for want of a fresh address.
    package let links: LinkRequests
    /// The units that origins could not give for the moment.
    package let outages = Outages()

    package init(links: LinkRequests = LinkRequests()) { self.links = links }

    /// A unit of a rendition came that the asset can do without.
    func unitCame(_ token: AssetToken, _ rendition: String) {
        links.unitCame(token, rendition)
        outages.unitCame(token, rendition)
    }

    /// Permits the next run to hope again for units that this run has given up waiting for.
    func forget(_ token: AssetToken) {
        links.forget(token)
        outages.forget(token)
    }

    /// Asks for one fresh address for all refused units of a run, or else lets the asset wait for its origin.
    ///
    /// - Returns: the first reason; `nil` if no unit was refused.
    func ask(_ token: AssetToken, for setbacks: [(unit: UnitID, reason: StoreError)]) -> StoreError? {
        let refused = setbacks.filter { $0.reason.errorClass == .auth }
        if let first = refused.first {
            links.ask(token, forOptional: refused.map(\.unit))
            return first.reason
        }
        guard let first = setbacks.first else { return nil }
        outages.wait(token, for: setbacks.map(\.unit))
        return first.reason
    }
}
