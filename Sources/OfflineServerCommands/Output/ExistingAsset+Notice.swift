internal import AssetStore
internal import OfflineServer

extension ExistingAsset {
    /// The sentence about an existing asset of the same stream.
    static func notice(_ existing: AssetToken, beside new: AssetToken) -> String {
        "\(existing) is an asset of the same address; `offline-server download \(existing)` gets what that one may lack, and `offline-server remove \(new)` removes the new one"
    }

    /// The sentence about existing assets of several streams that were added together, by the new asset; `nil`
    /// without any.
    static func notice(_ existing: [AssetToken: AssetToken], among count: Int) -> String? {
        guard existing.count > 1 else { return existing.first.map { notice($1, beside: $0) } }
        return
            "\(existing.count) of the \(count) new assets are of addresses that other assets are of; with --json each is named as `existing`"
    }
}
