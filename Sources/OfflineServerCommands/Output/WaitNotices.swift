internal import AssetStore

/// Reports the reason for which a download waits: each reason once, and again after it has been downloading.
struct WaitNotices {
    /// The number of updates for which a wait for a slot is not reported: most slots are free before.
    static let usualLooks = 20
    private var told: Set<String> = []
    private var looks = 0

    /// The line about the asset's present state; `nil` if it has been reported.
    mutating func line(_ asset: Asset) -> String? {
        guard let reason = asset.reason, let wait = asset.wait else {
            looks = 0
            if asset.state == .downloading { told = [] }
            return nil
        }
        looks = reason == "slot" ? looks + 1 : 0
        guard reason != "slot" || looks >= Self.usualLooks else { return nil }
        return told.insert(reason).inserted ? "\(asset.name): \(wait)" : nil
    }
}
