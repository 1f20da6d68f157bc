internal import AssetStore

/// The body of `POST /assets/{token}/tracks`: what `add-tracks` and `remove-tracks` take, as JSON.
struct TracksBody: Codable {
    var maxBitrate: Int?
    var minBitrate: Int?
    var maxHeight: Int?
    var allVariants: Bool?
    var audio: DownloadBody.Languages?
    var subtitles: DownloadBody.Languages?
    var trickPlay: Bool?
    var subtitleFiles: [SubtitleSource]?
    /// Names of renditions that go.
    var remove: [String]?

    init(_ selection: Selection, subtitleFiles: [SubtitleSource]) {
        (maxBitrate, minBitrate, maxHeight) = (
            selection.maximumBitrate, selection.minimumBitrate, selection.maximumHeight
        )
        (allVariants, trickPlay) = (selection.allVariants, selection.trickPlay)
        (audio, subtitles) = (.init(selection.audio), .init(selection.subtitles))
        self.subtitleFiles = subtitleFiles
    }

    init(removing names: [String]) { remove = names }

    var selection: Selection {
        var selection = Selection()
        (selection.maximumBitrate, selection.minimumBitrate) = (maxBitrate, minBitrate)
        (selection.maximumHeight, selection.allVariants) = (maxHeight, allVariants ?? false)
        selection.audio = audio?.value ?? .automatic
        selection.subtitles = subtitles?.value ?? .automatic
        selection.trickPlay = trickPlay ?? false
        return selection
    }

    /// Whether it asks for nothing.
    var isEmpty: Bool {
        selection.isAutomatic && (subtitleFiles ?? []).isEmpty && (remove ?? []).isEmpty
    }
}

extension Selection {
    /// Whether its limits are numbers that a stream can have, and do not exclude each other.
    var isSound: Bool {
        [maximumBitrate, minimumBitrate, maximumHeight].allSatisfy { $0 ?? 1 > 0 }
            && (maximumBitrate == nil || minimumBitrate == nil)
    }
}

extension AssetStore {
    /// Removes first, then adds.
    func change(_ tracks: TracksBody, of token: AssetToken) async throws(StoreError) -> TracksAdded {
        if let names = tracks.remove, !names.isEmpty { try await removeTracks(names, from: token) }
        let (selection, files) = (tracks.selection, tracks.subtitleFiles ?? [])
        guard !selection.isAutomatic || !files.isEmpty else { return TracksAdded() }
        return try await addTracks(selection, subtitleFiles: files, to: token)
    }
}
