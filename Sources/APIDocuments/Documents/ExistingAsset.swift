package import StoreReading

/// The notice that a new asset has the same address as an existing one: both stay and take their space.
package enum ExistingAsset {
    /// The notice as a member of the new asset's object.
    package static func member(_ existing: AssetToken?) -> (String, JSONValue) {
        ("existing", JSONValue(existing?.description))
    }
}
