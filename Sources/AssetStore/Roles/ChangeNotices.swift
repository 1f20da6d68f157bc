/// Facts of assets that are kept at hand for players. They are forgotten when an asset changes.
struct ServedFacts: Sendable {
    let keys: KeyDesk
    let plans: DecryptionPlans
    let growing: GrowingPlaylists
    let observers: ChangeObservers

    /// Forgets what is known of assets, and tells those who observe them.
    func forget(_ tokens: Set<AssetToken>) {
        for token in tokens { keys.forget(token) }
        plans.forget(tokens)
        growing.forget(tokens)
        observers.tell(tokens)
    }

    /// Forgets what is out of date once more of an asset can be served. Its growing playlists go on.
    func forgetEnd(of token: AssetToken) {
        keys.forget(token)
        plans.forget([token])
        observers.tell([token])
    }
}

/// Tells all parts of a store that assets may consist of something else from now on.
struct ChangeNotices: Sendable {
    let served: ServedFacts
    let tamperWatch: TamperWatch

    func changed(_ token: AssetToken) { changed([token]) }

    func changed(_ tokens: Set<AssetToken>) {
        for token in tokens { tamperWatch.leave(token) }
        served.forget(tokens)
    }
}
