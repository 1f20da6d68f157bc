internal import APIDocuments
internal import AssetStore
internal import OfflineServer

extension ExistingAsset {
    /// The sentence about an existing asset of the same address, with what to do about the two.
    ///
    /// - Parameter older: the existing asset, as far as it is known.
    static func notice(_ existing: AssetToken, _ older: Asset?, beside new: AssetToken) -> String {
        guard older?.recording != nil else {
            return
                "\(existing) is an older asset of the same address; to keep only that one, `offline-server remove \(new)`, then `offline-server download \(existing)` fetches what it lacks"
        }
        guard older?.isRecording == true else {
            return
                "\(existing) is an older recording of the same address, which has ended and stays as it is; \(new) is a new asset; `offline-server remove \(existing)` deletes the older one"
        }
        return
            "\(existing) is recording the same address now; if one recording is enough, `offline-server remove \(new)` removes the new one"
    }

    /// The sentence about existing assets of several streams that were added together, by the new asset; `nil`
    /// without any.
    static func notice(
        _ existing: [AssetToken: AssetToken], among count: Int, older: (AssetToken) -> Asset?
    ) -> String? {
        guard existing.count > 1 else { return existing.first.map { notice($1, older($1), beside: $0) } }
        return
            "\(existing.count) of the \(count) new assets have the address of an older asset; with --json, `existing` names the older one"
    }
}
