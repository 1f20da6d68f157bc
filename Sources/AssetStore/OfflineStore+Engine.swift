internal import Locking
internal import Transfers

extension OfflineStore {
    /// The figures of an asset that only its engine knows.
    public func liveFigures(of asset: Asset) async -> LiveFigures {
        LiveFigures.of(asset, known: await engine.activity.figures(of: asset.token))
    }

    /// The figures of all assets that run or wait since something failed.
    public var liveFigures: [AssetToken: LiveFigures] { get async { await engine.activity.figures } }
}

extension OfflineStore {
    /// Does something to an asset while nothing of it is on the way.
    func changing(
        _ token: AssetToken, _ body: () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        await engine.beginChange(of: token)
        await engine.halt([token], isForGood: false)
        do throws(StoreError) {
            try await body()
        } catch {
            await engine.endChange(of: token)
            throw error
        }
        await engine.endChange(of: token)
    }
}

extension OfflineStore {
    /// The policy of the engine.
    public var policy: EnginePolicy { get async { await engine.policy } }

    /// Changes what the engine keeps to, at once, until it ends.
    public func adopt(_ policy: EnginePolicy) async {
        connection.interfaces = policy.meteredInterfaces
        await engine.adopt(policy)
    }
}
