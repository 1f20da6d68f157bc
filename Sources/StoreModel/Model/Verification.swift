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
    /// Files with another length or other bytes than were downloaded, by their path in the asset's folder; and content
    /// keys that can't be unsealed, by their path in the asset's URLs.
    public var damaged: [String]
    /// Undamaged files that no player can decode, by their path in the asset's folder.
    public var undecodable: [String]

    /// Objects that were read from the bucket of the store's media.
    public var objects = 0
    /// The bucket in which the store's media are, as a URL; `nil` when they are in its folder.
    public var mediaPlace: String?
    /// Which of what is missing or damaged is so in the bucket alone: the store's folder has a sound copy, from which
    /// `repair` puts it back.
    public var copies: [String] = []

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

    /// Whether everything is as it was downloaded, and can be decoded.
    public var isSound: Bool { missing.isEmpty && damaged.isEmpty && undecodable.isEmpty }

    /// Which of what is damaged are content keys: `repair` gets none again, but `license renew` may.
    public var closedKeys: [String] { damaged.filter { $0.hasPrefix("keys/") } }
}
