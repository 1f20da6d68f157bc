internal import Logging
internal import SidebandSubtitles

/// Stores the playback positions of assets, and maintains the search index of subtitles.
package struct ViewingDesk: Sendable {
    let catalog: Catalog
    let reader: StoreReader
    let wall: any WallClock
    let log: Logger

    /// Notes the playback position of an asset.
    ///
    /// - Parameters:
    ///   - seconds: from the beginning of the presentation.
    ///   - isWatched: whether it counts as watched; with `nil`, a position at or after 90 % of the duration counts as
    ///     watched, and an earlier one changes nothing.
    package func setPosition(
        _ seconds: Double, isWatched: Bool?, of token: AssetToken
    ) throws(StoreError) -> PlaybackPosition {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        var position = PlaybackPosition()
        position.seconds = seconds
        let isNearEnd =
            record.duration > 0 && seconds >= record.duration * PlaybackPosition.watchedShare
        position.isWatched = isWatched ?? (isNearEnd || record.position.isWatched)
        position.toldAt = wall.now
        try catalog.viewing.setPosition(position, of: token)
        return position
    }

    /// Enters subtitles that are not in the index yet, the newest assets first, until a time has passed.
    ///
    /// - Returns: how many tracks are still to be entered.
    package func indexCues(within limit: Duration) throws(StoreError) -> Int {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let batch = try catalog.cues.unindexed(limit: 16)
            guard !batch.isEmpty else { return 0 }
            for (token, rendition) in batch where ContinuousClock.now < end {
                try index(rendition, of: token)
            }
        }
        return try catalog.cues.unindexedCount()
    }

    /// A track that can't be read is entered as one without cues, so that it is not tried with every search.
    private func index(_ rendition: String, of token: AssetToken) throws(StoreError) {
        var track: AssetSubtitles?
        do throws(StoreError) {
            track = try reader.captions.subtitles(token, rendition)
        } catch {
            log.warning(
                "subtitles can't be searched: \(error.message)", metadata: ["token": "\(token)"])
        }
        let cues = (track?.track.cues ?? []).compactMap { cue -> (start: Double, text: String)? in
            let text = cue.content.flattened(keeping: []).split(whereSeparator: \.isNewline)
                .joined(separator: " ")
            return text.isEmpty ? nil : (cue.start.seconds, text)
        }
        try catalog.cues.index(cues, of: token, rendition, language: track?.rendition.language)
    }
}
