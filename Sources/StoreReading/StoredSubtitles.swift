internal import HLSPlaylist
internal import SidebandSubtitles

/// The subtitles of assets: whole tracks, and their segments.
public struct StoredSubtitles: ReaderRole {
    let reader: StoreReader

    /// The subtitle tracks of an asset; `nil` when there is no such asset.
    public func subtitleRenditions(_ token: AssetToken) throws(StoreError) -> [SubtitleRendition]? {
        guard let catalog, try catalog.assets.asset(token) != nil else { return nil }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        return rows.filter(Self.isTrack).map(SubtitleRendition.init)
    }

    /// A subtitle track, made of the stored segments; `nil` if there is no such track.
    ///
    /// - Parameters:
    ///   - token: the asset's token.
    ///   - wanted: a language, or the name of a track.
    public func subtitles(_ token: AssetToken, _ wanted: String) throws(StoreError) -> AssetSubtitles? {
        guard let catalog else { return nil }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let found = rows.filter(Self.isTrack).map(SubtitleRendition.init).find(wanted)
        guard let row = rows.first(where: { $0.name == found?.name }) else { return nil }
        let maker = SubtitleMaker(token: token, rows: rows, row: row, paths: paths, catalog: catalog)
        let revision = try maker.revision()
        let key = "\(token)/\(row.name)"
        if let made = reader.subtitleCache.find(key, revision: revision) { return made }
        let made = try maker.make(revision: revision, keys: try clearKeys(of: token))
        if !made.isDamaged { reader.subtitleCache.store(made, under: key) }
        return made
    }

    /// The units that a segment of a track's playlist needs and that are not stored. These are subtitles, and the
    /// media from which the timestamps are read, with their initialization section.
    package func missingSources(
        of found: AssetSubtitles, segment number: Int, _ token: AssetToken
    ) throws(StoreError) -> [AbsentUnit] {
        let rows = try catalog?.renditions.all(of: [token])[token] ?? []
        guard let place = found.timeline?.segments[number] else { return [] }
        let range = place.start...place.start + place.duration
        var missing: [AbsentUnit] = []
        for row in rows where row.name == found.rendition.name {
            missing += try absent(in: range, of: row, token)
        }
        if found.clocks[place.discontinuity] == .notStored, let main = SubtitleMaker.main(of: rows) {
            missing += try absent(in: range, of: main, token)
        }
        return missing
    }

    /// The units of a rendition in a stretch of the presentation that are not stored, with those that they need.
    private func absent(
        in range: ClosedRange<Double>, of row: RenditionRecord, _ token: AssetToken
    ) throws(StoreError) -> [AbsentUnit] {
        var found: [AbsentUnit] = []
        for unit in try catalog?.units.outlines(of: row.id) ?? [] where unit.state == .missing {
            let name: UnitName =
                unit.kind == .segment ? .segment(unit.number) : .initialization(unit.number)
            let isWanted =
                unit.kind == .initialization
                || unit.start < range.upperBound && unit.start + unit.duration > range.lowerBound
            let suffix = unit.kind == .segment ? row.container.rawValue : "mp4"
            guard isWanted,
                case .absent(let absent) = try reader.media.unit(
                    token, row.name, named: name, extension: suffix)
            else { continue }
            found.append(absent)
        }
        return found
    }

    private static func isTrack(_ row: RenditionRecord) -> Bool {
        row.kind == .subtitles && row.hasPlaylist && row.failure == nil
    }

    /// The asset's content keys in the clear, by their address. They are kept only while subtitles are read.
    private func clearKeys(of token: AssetToken) throws(StoreError) -> [String: [UInt8]] {
        let records = try (catalog?.renditions.keys(of: token) ?? []).filter {
            $0.isFetched && $0.sealed != nil
        }
        guard !records.isEmpty else { return [:] }
        let vault = try reader.openedVault()
        var keys: [String: [UInt8]] = [:]
        for record in records {
            keys[record.url] = record.opened(by: vault, for: token)
        }
        return keys
    }

    /// The names of the subtitle renditions that players get as WebVTT made for them.
    func generatedSubtitles(_ rows: [RenditionRecord], _ catalog: Catalog) throws(StoreError) -> Set<String> {
        var names: Set<String> = []
        for row in rows where Self.isTrack(row) {
            if row.isGenerated(isEncrypted: try catalog.units.isEncrypted(rendition: row.id)) {
                names.insert(row.name)
            }
        }
        return names
    }
}

/// The answer to a request for a segment of a track.
package enum SubtitleSegmentAnswer: Sendable {
    /// WebVTT with X-TIMESTAMP-MAP, and whether it is final.
    case made([UInt8], isFinal: Bool)
    /// Units that it is made of are not stored yet.
    case missing
    /// The segment will never exist.
    case unknown
}

extension AssetSubtitles {
    /// The media's clock at the beginning of the presentation, in ticks of 90 kHz; `nil` when it is not known.
    package var firstTicks: Int? {
        timeline?.segments.first.flatMap { clocks[$0.discontinuity]?.ticks }
    }

    /// The media playlist of the track in segments that match the video's (RFC 8216bis, section 3.1.4); `nil` without
    /// a video.
    ///
    /// - Parameter view: the view of an unfinished recording.
    package func playlist(_ view: LiveView = LiveView()) -> [UInt8]? { timeline?.subtitlePlaylist(view) }

    /// Whether the subtitles of a segment are not known yet.
    func isMissing(_ place: PresentationTimeline.Segment) -> Bool {
        missing.contains {
            $0.lowerBound < place.start + place.duration && $0.upperBound > place.start
        }
    }

    /// A segment of that playlist.
    package func segment(_ number: Int) -> SubtitleSegmentAnswer {
        guard let timeline, let segmented, timeline.segments.indices.contains(number) else { return .unknown }
        let place = timeline.segments[number]
        guard !isMissing(place), let clock = clocks[place.discontinuity], clock != .notStored else {
            return .missing
        }
        let map = timeline.map(of: number, firstTicks: clock.ticks ?? 0)
        return .made(segmented.segment(number, timestampMap: map), isFinal: isComplete)
    }
}
