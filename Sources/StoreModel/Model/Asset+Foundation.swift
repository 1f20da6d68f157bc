public import FoundationEssentials

/// Moments, lengths and addresses in the types of Foundation, for apps.
extension Asset {
    /// The address of its stream, without user information and query.
    public var source: URL? { URL(string: sourceURL) }

    /// The length of its presentation.
    public var playingTime: Duration { .seconds(duration) }

    /// The time of its request.
    public var requestDate: Date { requestedAt.date }

    /// The time at which its first transfer began.
    public var startDate: Date? { startedAt?.date }

    /// The time at which it was complete, cancelled or failed.
    public var finishDate: Date? { finishedAt?.date }

    /// The time at which it came into its state.
    public var stateDate: Date { stateSince.date }

    /// The time at which a player last asked for a segment; known to some seconds.
    public var lastPlayDate: Date? { lastPlayedAt?.date }

    /// The end of its origin's cooldown (Retry-After), if it waits for that.
    public var waitEndDate: Date? { waitsUntil?.date }
}

extension AssetRendition {
    /// The length of its presentation.
    public var playingTime: Duration { .seconds(duration) }
}

extension AssetActivity {
    /// The time at which the work began.
    public var startDate: Date { since.date }

    /// The time of the next try; `nil` without a wait.
    public var nextTryDate: Date? { nextTryAt?.date }

    /// The time since which no byte of the running transfers has arrived.
    public var stallDate: Date? { stalledSince?.date }
}

extension AssetFailure {
    /// The time of the failure.
    public var date: Date { at.date }
}

extension AssetEvent {
    /// The time of the event.
    public var date: Date { at.date }
}

extension LicenseEvent {
    /// The time of the event; of the last one, when it happened several times.
    public var date: Date { at.date }
}

extension LicenseStatus {
    /// The time of the request, or of the renewal.
    public var requestDate: Date? { requestedAt?.date }

    /// The end of the rental; `distantFuture` if it has none, `nil` without a license.
    public var expirationDate: Date? {
        switch expiry {
        case .never: .distantFuture
        case .at(let time): time.date
        case .unknown: nil
        }
    }

    /// The time at which the first key was handed out under these terms.
    public var firstPlayDate: Date? { firstPlayedAt?.date }

    /// The end of the play window.
    public var playExpirationDate: Date? { playExpiresAt?.date }

    /// The time of the revocation.
    public var revocationDate: Date? { revokedAt?.date }

    /// The time at which the last key was handed out.
    public var lastHandoutDate: Date? { lastHandedOutAt?.date }
}

extension Recording {
    /// The length of media after which it ends; `nil` for no limit.
    public var limit: Duration? { duration.map { .seconds($0) } }

    /// The time of its end; `nil` while it may still go on.
    public var endDate: Date? { endedAt?.date }
}

extension RecordingGap {
    /// The time from the beginning of the presentation.
    public var offset: Duration { .seconds(start) }

    /// The length of what is missing.
    public var length: Duration { .seconds(duration) }

    /// The time at which it was found.
    public var date: Date { at.date }
}

extension StorageUse.Share {
    /// The time at which it was last played.
    public var lastPlayDate: Date? { lastPlayedAt?.date }
}
