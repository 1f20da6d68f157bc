/// Why an asset waits although there may be a place for it.
package enum WaitReason: String, Sendable, CaseIterable {
    /// The machine has no network connection to the origin.
    case network
    /// The disk or the quota has no space for it.
    case disk
    /// Too many files are open. The asset is tried again at the next check.
    case files
    /// The bucket of the store's media can't be written. The asset continues when the bucket can be reached.
    case bucket
    /// The connection is metered (paid by volume).
    case metered
    /// The schedule does not permit it now.
    case schedule
    /// The origin has a cooldown, or lately failed to give its playlists or an optional rendition.
    case origin
}

/// Why an asset is in its state, where the state alone does not tell.
package enum StateReason: Sendable, Equatable, RawRepresentable {
    /// The asset is queued until a slot is free.
    case slot
    /// The asset is queued until another condition is met, too.
    case waits(WaitReason)
    /// The asset is queued until there is a fresh address.
    case link
    /// The user paused or cancelled it.
    case user
    /// Keys and playlists are stored; media are downloaded on request.
    case preloaded
    /// Its media were deleted to make room for others.
    case evicted
    /// The asset failed with an error of this class.
    case failed(ErrorClass)

    /// The reason with this name; `nil` if there is none.
    package init?(rawValue: String) {
        switch rawValue {
        case "slot": self = .slot
        case "link": self = .link
        case "user": self = .user
        case "preloaded": self = .preloaded
        case "evicted": self = .evicted
        default:
            // A name of both kinds is one of a wait: a failed asset has its error beside the reason.
            if let wait = WaitReason(rawValue: rawValue) {
                self = .waits(wait)
            } else if let failure = ErrorClass(rawValue: rawValue) {
                self = .failed(failure)
            } else {
                return nil
            }
        }
    }

    /// Its name, for programs and the catalog.
    package var rawValue: String {
        switch self {
        case .slot: "slot"
        case .waits(let reason): reason.rawValue
        case .link: "link"
        case .user: "user"
        case .preloaded: "preloaded"
        case .evicted: "evicted"
        case .failed(let failure): failure.rawValue
        }
    }
}

extension AssetRecord {
    /// Why it is in its state; `nil` also for a reason of a newer version.
    package var stateReason: StateReason? { reason.flatMap(StateReason.init) }

    /// Whether it waits for a fresh address.
    package var waitsForLink: Bool { state == .queued && stateReason == .link }

    /// Whether it waits only for its turn, so that a player may start it.
    package var waitsForTurnOnly: Bool { state == .queued && (reason == nil || stateReason == .slot) }
}
