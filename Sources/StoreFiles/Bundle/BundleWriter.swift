internal import HLSPlaylist
internal import SystemPackage

/// A stored poster.
package struct Artwork: Sendable {
    package var bytes: [UInt8]
    package var fileName: String

    /// A poster; `nil` when the bytes are no picture that browsers show.
    package init?(poster bytes: [UInt8]) {
        guard let type = ContainerFormat(picture: bytes[...])?.rawValue else { return nil }
        self.bytes = bytes
        fileName = "poster.\(type)"
    }

}

/// Makes an asset's folder: playlists with local names, and the folders for segments.
package struct BundleWriter {
    package let paths: StorePaths
    package let token: AssetToken

    package init(paths: StorePaths, token: AssetToken) {
        self.paths = paths
        self.token = token
    }

    package func write(_ plan: DownloadPlan, keys: [KeyRecord], title: String, poster: Artwork?)
        throws(StoreError)
    {
        Trace.pass(.bundle, "\(token)")
        try FileSystem.makeDirectory(paths.asset(token))
        for planned in plan.renditions {
            try write(planned, keys: keys, interstitials: plan.interstitials)
        }
        for item in plan.subtitles { try item.write(for: token, in: paths) }
        if let poster {
            try DurableWrite.write(poster.bytes, to: paths.asset(token).appending(poster.fileName))
            try paths.media?.keep(poster.bytes, at: poster.fileName, of: token)
        }
        try FileSystem.syncDirectory(paths.asset(token))
        try FileSystem.syncDirectory(paths.assets)
    }

    /// Makes the folders of renditions that an asset gets later.
    package func add(
        _ renditions: [PlannedRendition], keys: [KeyRecord], interstitials: [InterstitialRecord]
    ) throws(StoreError) {
        for planned in renditions { try write(planned, keys: keys, interstitials: interstitials) }
        try FileSystem.syncDirectory(paths.asset(token))
    }

    private func write(
        _ planned: PlannedRendition, keys: [KeyRecord], interstitials: [InterstitialRecord]
    ) throws(StoreError) {
        guard let playlist = planned.stream.playlist else { return }
        let folder = paths.rendition(token, planned.name)
        try FileSystem.makeDirectory(folder)
        let keys = ServedKeys(keys, base: URIReference(planned.stream.url))
        let served = ServedMediaPlaylist(
            playlist, keys: keys, format: planned.stream.container,
            interstitials: LocalInterstitials(interstitials, base: planned.stream.url))
        try DurableWrite.write(served.bytes, to: folder.appending(ServedMediaPlaylist.fileName))
    }
}
