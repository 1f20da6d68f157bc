internal import AssetStore

/// Tells people what a download waits for, each reason once, and again when it has been downloading meanwhile.
struct WaitNotices {
    /// For how many looks in a row it waits for others before that is worth a word: most go on at once.
    static let usualLooks = 20
    private var told: Set<String> = []
    private var looks = 0

    /// The line about an asset as it is now; `nil` when there is nothing new to say.
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
