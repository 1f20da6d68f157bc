internal import FoundationEssentials
internal import SystemPackage

extension SourceEditor {
    /// Replaces or removes the poster of an asset.
    ///
    /// - Parameter source: a URL, the absolute path of a file, or a `data:` URL in base64 (RFC 2397); an empty text
    ///   removes the poster.
    package func changePoster(of token: AssetToken, to source: String) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        // An asset that is being resolved gets its folder, and the stream's poster, at the end.
        guard ![.removing, .resolving].contains(record.state), try !catalog.queue.isUnresolved(token) else {
            throw StoreError(.wrongState(record.state, wanted: StoreError.pictureWish))
        }
        let poster = source.isEmpty ? nil : try await picture(source, for: record)
        let folder = paths.asset(token)
        if let poster {
            try FileSystem.makeDirectory(folder)
            try DurableWrite.write(poster.bytes, to: folder.appending(poster.fileName))
            try paths.media?.keep(poster.bytes, at: poster.fileName, of: token)
        }
        try catalog.assets.setPoster(poster?.fileName, of: token, at: control.wall.now)
        if let old = record.poster, old != poster?.fileName {
            try paths.media?.keep(nil, at: old, of: token)
            try? FileSystem.unlink(folder.appending(old))
        }
        notices.changed(token)
    }

    private func picture(_ source: String, for record: AssetRecord) async throws(StoreError) -> Artwork? {
        guard source.hasPrefix("data:") else {
            let origin = try survey.origin(try vault.access(of: record), of: record.sourceURL)
            return try await survey.artwork(source, for: .artwork, origin: origin)
        }
        let parts = source.split(separator: ",", maxSplits: 1)
        let data =
            parts.count == 2 && parts[0].hasSuffix(";base64") ? Data(base64Encoded: String(parts[1])) : nil
        guard let data, let artwork = Artwork(poster: Array(data)) else { throw StreamSurvey.noPicture }
        return artwork
    }
}
