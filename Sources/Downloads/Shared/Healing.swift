/// The ways in which a unit that was refused or missing may come back: by a fresh address, or a while later.
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

    /// Lets what a run hopes for be hoped for anew by the next one.
    func forget(_ token: AssetToken) {
        links.forget(token)
        outages.forget(token)
    }

    /// Asks for one fresh address for all that was refused in a run and might come with it, or else has the asset wait
    /// for its origin.
    ///
    /// - Returns: the first reason; `nil` when nothing was refused.
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
