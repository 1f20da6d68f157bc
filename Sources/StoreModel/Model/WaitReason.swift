/// Why an asset waits although there may be a place for it.
package enum WaitReason: String, Sendable, CaseIterable {
    /// There is no way to its origin.
    case network
    /// There is no room for it.
    case disk
    /// Too many files are open. It is tried again at the next look.
    case files
    /// The bucket of the store's media takes nothing. It goes on when that can be reached again.
    case bucket
    /// The connection costs by volume.
    case metered
    /// It is not its time.
    case schedule
    /// Its origin has asked to be left alone for a while, or could not give its playlists, or something that it can do
    /// without, a while ago.
    case origin
}

/// Why an asset is in its state, where the state alone does not tell.
package enum StateReason: Sendable, Equatable, RawRepresentable {
    /// It is queued until there is a place for it.
    case slot
    /// It is queued until something else is so, too.
    case waits(WaitReason)
    /// It is queued until somebody has a fresh address of it.
    case link
    /// The user paused or cancelled it.
    case user
    /// Its keys and playlists are stored; its media are downloaded when somebody asks for that.
    case preloaded
    /// Its media were deleted to make room for others.
    case evicted
    /// It failed with an error of this class.
    case failed(ErrorClass)

    /// The reason of this name; `nil` when there is none.
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

    /// Whether it waits for its turn alone, so that a player may have it begin.
    package var waitsForTurnOnly: Bool { state == .queued && (reason == nil || stateReason == .slot) }
}
