internal import AssetStore

/// The body of `POST /import`: what `import` takes, as JSON. Reading and writing side by side.
struct ImportBody: Codable {
    var path: String
    var name: String?
    var maxBitrate: Int?
    var minBitrate: Int?
    var maxHeight: Int?
    var allVariants: Bool?
    var audio: DownloadBody.Languages?
    var subtitles: DownloadBody.Languages?
    var trickPlay: Bool?

    init(path: String, name: String?, _ selection: Selection) {
        (self.path, self.name) = (path, name)
        (maxBitrate, minBitrate, maxHeight) = (
            selection.maximumBitrate, selection.minimumBitrate, selection.maximumHeight
        )
        (allVariants, trickPlay) = (selection.allVariants, selection.trickPlay)
        (audio, subtitles) = (.init(selection.audio), .init(selection.subtitles))
    }

    /// What is to be taken: everything, unless it says more.
    var selection: Selection {
        var selection = Selection()
        (selection.maximumBitrate, selection.minimumBitrate) = (maxBitrate, minBitrate)
        (selection.maximumHeight, selection.allVariants) = (maxHeight, allVariants ?? false)
        selection.audio = audio?.value ?? .automatic
        selection.subtitles = subtitles?.value ?? .automatic
        selection.trickPlay = trickPlay ?? false
        return selection.isAutomatic ? .everything : selection
    }
}
