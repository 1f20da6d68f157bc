internal import Crypto
internal import Dispatch
internal import HLSPlaylist
internal import Locking
internal import SystemPackage

/// The result of a look at every stored byte of an asset.
public struct Verification: Sendable {
    /// The asset.
    public var token: AssetToken
    /// Files that were read.
    public var checked: Int
    /// Files that are gone, by their path in the asset's folder.
    public var missing: [String]
    /// Files whose length or bytes differ from the download, by their path in the asset's folder; and content keys
    /// that can't be unsealed, by their path in the asset's URLs.
    public var damaged: [String]
    /// Undamaged files that no player can decode, by their path in the asset's folder.
    public var undecodable: [String]

    /// Objects that were read from the bucket of the store's media.
    public var objects = 0
    /// The bucket with the store's media as a URL; `nil` if they are in its folder.
    public var mediaPlace: String?
    /// Missing or damaged units of which only the bucket's object is affected: the store's folder has a sound copy,
    /// which `repair` uploads again.
    public var copies: [String] = []
    /// Files that were missing or damaged and were put back as they were, by their path in the asset's folder. They are
    /// served again.
    public var returned: [String] = []

    /// The health of the whole asset after the check. An asset whose files are all sound may still lack other files, or
    /// a key.
    public var health = Health.Level.sound

    /// A result.
    public init(
        token: AssetToken, checked: Int, missing: [String], damaged: [String], undecodable: [String] = []
    ) {
        self.token = token
        self.checked = checked
        self.missing = missing
        self.damaged = damaged
        self.undecodable = undecodable
    }

    /// Whether all files are as they were downloaded, and can be decoded.
    public var isSound: Bool { missing.isEmpty && damaged.isEmpty && undecodable.isEmpty }

    /// The content keys in `damaged`: `repair` does not fetch keys again, but `license renew` may.
    public var closedKeys: [String] { damaged.filter { $0.hasPrefix("keys/") } }
}
