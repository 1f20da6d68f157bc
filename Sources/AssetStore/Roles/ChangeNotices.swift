/// Facts of assets that are cached for players. They are removed when an asset changes.
struct ServedFacts: Sendable {
    let keys: KeyDesk
    let plans: DecryptionPlans
    let growing: GrowingPlaylists
    let observers: ChangeObservers

    /// Removes the cached facts of assets, and calls the observers.
    func forget(_ tokens: Set<AssetToken>) {
        for token in tokens { keys.forget(token) }
        plans.forget(tokens)
        growing.forget(tokens)
        observers.tell(tokens)
    }

    /// Removes the facts that are out of date when more of an asset can be served. Its growing playlists stay.
    func forgetEnd(of token: AssetToken) {
        keys.forget(token)
        plans.forget([token])
        observers.tell([token])
    }
}

/// Tells all parts of a store that the renditions or files of assets may have changed.
struct ChangeNotices: Sendable {
    let served: ServedFacts
    let tamperWatch: TamperWatch

    func changed(_ token: AssetToken) { changed([token]) }

    func changed(_ tokens: Set<AssetToken>) {
        for token in tokens { tamperWatch.leave(token) }
        served.forget(tokens)
    }
}
