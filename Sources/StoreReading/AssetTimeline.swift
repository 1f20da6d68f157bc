internal import HLSPlaylist

/// The presentation of an asset, for players that read no playlists: its renditions, the times of their segments, and
/// the segments that are stored.
package struct AssetTimeline: Sendable {
    /// A rendition with its segments.
    package struct Rendition: Sendable {
        package var rendition: AssetRendition
        package var container: ContainerFormat
        /// Whether segments or samples are encrypted at the origin.
        package var isEncrypted: Bool
        /// The attributes DEFAULT, CHARACTERISTICS, GROUP-ID of a rendition, or AUDIO of a variant.
        package var isDefault: Bool
        package var characteristics: String?
        package var group: String?
        /// The media sequence number of the first segment.
        package var first = 0
        /// The start of the first segment, in seconds of the presentation; 0 or less.
        package var start = 0.0
        /// The duration of each segment, in seconds.
        package var durations: [Double] = []
        /// The numbers of the segments before which a discontinuity stands.
        package var discontinuities: [Int] = []
        /// The initialization sections, each with the number of the first segment that it applies to.
        package var sections: [(first: Int, section: Int)] = []
        /// The numbers of the segments that are stored, in runs.
        package var stored: [ClosedRange<Int>] = []
        /// The numbers of the segments that will never exist, in runs.
        package var gaps: [ClosedRange<Int>] = []
    }

    package var asset: Asset
    package var renditions: [Rendition]
}

extension PlaylistSource {
    /// The timeline of an asset; `nil` when there is no such asset.
    package func timeline(_ token: AssetToken) throws(StoreError) -> AssetTimeline? {
        guard let catalog, let asset = try reader.asset(token, isListed: true) else { return nil }
        let variables = try catalog.renditions.variables(of: token)
        var found: [AssetTimeline.Rendition] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where row.failure == nil {
            let playlist = try catalog.renditions.mediaPlaylist(token, row.name, variables: variables)
            found.append(try rendition(row, playlist?.playlist, catalog: catalog))
        }
        return AssetTimeline(asset: asset, renditions: found)
    }

    private func rendition(
        _ row: RenditionRecord, _ playlist: MediaPlaylist?, catalog: Catalog
    ) throws(StoreError) -> AssetTimeline.Rendition {
        let attributes = row.attributes
        var found = AssetTimeline.Rendition(
            rendition: AssetRendition(row), container: row.container, isEncrypted: false,
            isDefault: attributes["DEFAULT"] == "YES", characteristics: attributes["CHARACTERISTICS"],
            group: attributes[row.kind == .variant ? "AUDIO" : "GROUP-ID"])
        guard let playlist, row.hasPlaylist else { return found }
        found.describe(playlist)
        found.start = try catalog.units.start(ofRendition: row.id)
        found.stored = Self.runs(try catalog.units.storedNumbers(ofRendition: row.id).sorted())
        let missing = try reader.gaps(of: row)
        found.gaps = Self.runs(
            playlist.segments.filter { $0.isGap || missing.contains($0.mediaSequence) }.map(\.mediaSequence))
        return found
    }

    /// Numbers in order as runs of neighbors.
    private static func runs(_ numbers: [Int]) -> [ClosedRange<Int>] {
        numbers.reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
    }
}

extension AssetTimeline.Rendition {
    /// Copies the segments' facts from a playlist.
    fileprivate mutating func describe(_ playlist: MediaPlaylist) {
        first = playlist.segments.first?.mediaSequence ?? 0
        durations = playlist.segments.map(\.duration)
        discontinuities = playlist.segments.dropFirst().filter(\.isDiscontinuity).map(\.mediaSequence)
        isEncrypted = playlist.segments.contains { !$0.keys.isEmpty }
        for segment in playlist.segments {
            guard let section = segment.initializationSection, sections.last?.section != section else {
                continue
            }
            sections.append((segment.mediaSequence, section))
        }
    }
}
