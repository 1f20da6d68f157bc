internal import AssetStore

/// What is said where a new asset has the address of another one: both stay, and each takes its room.
enum ExistingAsset {
    /// For people.
    static func notice(_ existing: AssetToken, beside new: AssetToken) -> String {
        "\(existing) is an asset of the same address; `offline-server download \(existing)` goes on with that one, and `offline-server remove \(new)` removes the new one"
    }

    /// As a member of what is said of the new one.
    static func member(_ existing: AssetToken?) -> (String, JSONValue) {
        ("existing", JSONValue(existing?.description))
    }
}
