package import AssetStore

/// The notice about a new asset with the address of another one: both stay, and each takes its room.
package enum ExistingAsset {
    /// As a member of what is said of the new one.
    package static func member(_ existing: AssetToken?) -> (String, JSONValue) {
        ("existing", JSONValue(existing?.description))
    }
}
