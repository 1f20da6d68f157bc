/// Services of the store that its engine calls.
extension OfflineStore: StoreOwner {
    package func resolve(_ token: AssetToken) async throws(StoreError) { try await intake.resolve(token) }

    package func makeRoom(by step: EvictionPlan.Step) throws(StoreError) { _ = try housekeeper.evict(step) }

    package func hasGrown(_ token: AssetToken) { parts.notices.served.forgetEnd(of: token) }

    package func hasEnded(_ token: AssetToken) { parts.tamperWatch.follow(token) }

    package func found(_ interstitials: [InterstitialPlace], in token: AssetToken) {
        Task(executorPreference: WorkThreads.housekeeping) {
            await self.intake.adopt(interstitials, into: token)
        }
    }

    package func received(_ keys: [KeyRecord], of token: AssetToken) {
        roles.renewals.schedule(keys, of: token)
    }

    package func beginsPlaying(_ token: AssetToken) { parts.tamperWatch.follow(token) }

    package func filesChanged(of token: AssetToken) { parts.notices.served.forget([token]) }
}
