internal import APIDocuments
internal import AssetStore
internal import OfflineServer

extension GlobalOptions {
    /// A subtitle track of an asset, unless the license keeps it back.
    ///
    /// - Parameter language: a language, or the name of a track.
    func subtitles(of token: String, _ language: String) throws -> AssetSubtitles {
        let reader = try reader()
        let token = try TokenArgument.sole(token)
        let license = try reader.requireProgress(of: token).license.state
        guard license != .expired, license != .revoked else {
            throw CommandFailure(
                message:
                    "the license is \(license.rawValue); `offline-server license renew \(token)` renews it")
        }
        guard let found = try reader.captions.subtitles(token, language) else {
            let tracks = try reader.captions.subtitleRenditions(token) ?? []
            throw CommandFailure(message: SubtitleListDocument.noTrack(language, among: tracks))
        }
        if !found.isComplete {
            note("\(found.rendition.name) is not stored completely yet; these are the stored cues")
        }
        return found
    }
}
