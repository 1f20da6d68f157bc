internal import AssetStore

/// The version of this program.
package enum Version {
    package static let current = OfflineStore.version
}
