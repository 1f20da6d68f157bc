internal import AssetStore

/// The body of `POST /assets/{token}/tracks`: what `add-tracks` and `remove-tracks` take, as JSON.
struct TracksBody: Codable, SelectionMembers {
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
    /// Whether all that is asked for has to be in the stream.
    var strict: Bool?

    init(_ selection: Selection, subtitleFiles: [SubtitleSource], isStrict: Bool = false) {
        choose(selection)
        self.subtitleFiles = subtitleFiles
        strict = isStrict ? true : nil
    }

    init(removing names: [String]) { remove = names }

    /// Whether it asks for nothing.
    var isEmpty: Bool {
        chosen.isAutomatic && (subtitleFiles ?? []).isEmpty && (remove ?? []).isEmpty
    }
}

extension AssetStore {
    /// Removes first, then adds.
    func change(_ tracks: TracksBody, of token: AssetToken) async throws(StoreError) -> TracksAdded {
        if let names = tracks.remove, !names.isEmpty { try await removeTracks(names, from: token) }
        let (selection, files) = (tracks.chosen, tracks.subtitleFiles ?? [])
        guard !selection.isAutomatic || !files.isEmpty else { return TracksAdded() }
        return try await addTracks(
            selection, subtitleFiles: files, to: token, isStrict: tracks.strict ?? false)
    }
}
