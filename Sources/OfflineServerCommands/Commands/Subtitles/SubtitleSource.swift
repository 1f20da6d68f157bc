internal import APIDocuments
internal import AssetStore
internal import OfflineServer

extension GlobalOptions {
    /// A subtitle track of an asset, unless the license keeps it back.
    ///
    /// - Parameter language: a language, or the name of a track.
    func subtitles(of token: String, _ language: String) async throws -> AssetSubtitles {
        let reader = try reader()
        let token = try TokenArgument.sole(token)
        let asset = try reader.requireProgress(of: token)
        let license = asset.license.state
        guard license != .expired, license != .revoked else {
            throw CommandFailure(
                message:
                    "the license is \(license.rawValue); `offline-server license renew \(token)` renews it")
        }
        guard var found = try reader.captions.subtitles(token, language) else {
            let tracks = try reader.captions.subtitleRenditions(token) ?? []
            throw CommandFailure(message: SubtitleListDocument.noTrack(language, among: tracks))
        }
        // The segments may be in a bucket, from which an engine gets them.
        if !found.isComplete, try reader.mediaPlace() != nil {
            let session = try await EngineSession.open(self, startsDownloads: false)
            let name = found.rendition.name
            let whole = try await session.closing {
                try session.mediaReader().captions.subtitles(token, name)
            }
            found = whole ?? found
        }
        if !found.isComplete {
            note("\(found.rendition.name) \(Self.lack(of: asset)); these are the stored cues")
        }
        return found
    }

    /// The reason why the subtitles of an asset are incomplete, as the rest of a sentence.
    static func lack(of asset: Asset) -> String {
        asset.state == .complete
            ? "lacks segments (`offline-server repair \(asset.token)` fetches them)"
            : "is not stored completely yet"
    }
}
