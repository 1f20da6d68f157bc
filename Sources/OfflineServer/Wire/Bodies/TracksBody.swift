package import AssetStore

/// The body of `POST /assets/{token}/tracks`: what `add-tracks` and `remove-tracks` take, as JSON.
package struct TracksBody: Codable, SelectionMembers {
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

    package init(_ selection: Selection, subtitleFiles: [SubtitleSource], isStrict: Bool = false) {
        choose(selection)
        self.subtitleFiles = subtitleFiles
        strict = isStrict ? true : nil
    }

    package init(removing names: [String]) { remove = names }

    /// Whether it asks for nothing.
    var isEmpty: Bool {
        chosen.isAutomatic && (subtitleFiles ?? []).isEmpty && (remove ?? []).isEmpty
    }
}
