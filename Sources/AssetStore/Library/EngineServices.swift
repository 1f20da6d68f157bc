/// The services of a store that its engine calls.
final class EngineServices: StoreOwner {
    private let intake: StreamIntake
    private let housekeeper: Housekeeper
    private let renewals: RenewalSchedule
    private let retries: RetrySchedule
    private let notices: ChangeNotices

    init(_ roles: StoreRoles, _ notices: ChangeNotices) {
        (intake, housekeeper, renewals) = (roles.intake, roles.housekeeper, roles.renewals)
        retries = roles.retries
        self.notices = notices
    }

    func resolve(_ token: AssetToken) async throws(StoreError) { try await intake.resolve(token) }

    func makeRoom(by step: EvictionPlan.Step) throws(StoreError) { _ = try housekeeper.evict(step) }

    func hasGrown(_ token: AssetToken) { notices.served.forgetEnd(of: token) }

    func hasEnded(_ token: AssetToken) {
        notices.tamperWatch.follow(token)
        retries.hasEnded(token)
    }

    func found(_ interstitials: [InterstitialPlace], in token: AssetToken) {
        Task(executorPreference: WorkThreads.housekeeping) {
            await self.intake.adopt(interstitials, into: token)
        }
    }

    func received(_ keys: [KeyRecord], of token: AssetToken) { renewals.schedule(keys, of: token) }

    func beginsPlaying(_ token: AssetToken) { notices.tamperWatch.follow(token) }

    func filesChanged(of token: AssetToken) { notices.served.forget([token]) }
}
