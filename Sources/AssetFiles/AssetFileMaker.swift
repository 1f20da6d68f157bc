internal import ASCII
package import AssetStore
internal import Crypto
internal import HLSPlaylist
internal import MediaContainers
internal import SystemPackage

extension OfflineStore {
    /// Lays out a whole asset as one file. Blocks: for segments that were not indexed before, as long as reading them
    /// takes.
    ///
    /// - Throws: the reason for which the asset can't be one file now.
    package func file(of token: AssetToken, _ choice: AssetFileChoice) throws(AssetFileError) -> AssetFile {
        try AssetFileMaker(store: self, token: token, choice: choice).make()
    }
}

/// Makes the layout of an asset as one file.
struct AssetFileMaker {
    let store: OfflineStore
    let token: AssetToken
    let choice: AssetFileChoice

    func make() throws(AssetFileError) -> AssetFile {
        let (record, rows) = try known()
        let sources = try choice.sources(rows)
        guard !sources.media.isEmpty else { throw .nothingFor(choice.format) }
        if choice.format == .ts, let video = sources.packets, choice.part == nil {
            return try packets(of: video, record)
        }
        var indexed: [IndexedRendition] = []
        for row in sources.media {
            indexed.append(
                try IndexedRendition(row, of: token, in: store, skipping: choice.skipped))
        }
        if let first = indexed.first, indexed.allSatisfy(\.isEmpty) {
            throw first.lack(of: record, choice.format)
        }
        for rendition in indexed {
            try rendition.refuseLoss(of: token, in: store, isSoundOnly: choice.format == .m4a)
        }
        var tracks = AssetTracks(indexed, choice.format, sources)
        guard choice.format != .ts else { return try transport(of: indexed, &tracks) }
        let builder: MovieLayoutBuilder = try tracks.read(part: choice.part)
        var movie = AssetMovie(tracks, builder)
        try addText(sources, of: record, rows, to: &movie)
        let layout = try movie.layout(information(record, chapters: movie.chapters))
        return AssetFile(
            token, choice, content: .movie(layout, tracks.media), sources: indexed.map(\.outline),
            length: layout.length,
            duration: layout.duration, entityTag: tag(indexed, head: layout.head))
    }

    /// A transport stream that is made of samples in other containers.
    private func transport(
        of indexed: [IndexedRendition], _ tracks: inout AssetTracks
    ) throws(AssetFileError) -> AssetFile {
        let builder: TransportLayoutBuilder = try tracks.read(part: choice.part)
        let layout: TransportLayout
        do throws(MovieLayoutError) { layout = try builder.layout() } catch { throw tracks.failure(error) }
        let marks = "transport \(TransportLayoutBuilder.version) "
        return AssetFile(
            token, choice, content: .transport(layout, tracks.media), sources: indexed.map(\.outline),
            length: layout.length, duration: layout.duration,
            entityTag: tag(indexed, head: Array(marks.utf8) + layout.fingerprint))
    }

    private func known() throws(AssetFileError) -> (AssetRecord, [RenditionRecord]) {
        do throws(StoreError) {
            if let refusal = try store.media.refusalOfFiles(token) {
                throw StoreError(.license(refusal, token))
            }
            guard let record = try store.catalog.assets.asset(token) else {
                throw StoreError(.noSuchAsset(token.description))
            }
            return (record, try store.catalog.renditions.all(of: [token])[token] ?? [])
        } catch { throw .store(error) }
    }

    /// The validator of a file: identifies the media, the selection, and the layout.
    private func tag(_ sources: [IndexedRendition], head: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(data: Array("\(MovieLayoutBuilder.version) \(choice.format.rawValue)".utf8))
        for source in sources { hash.update(data: source.revision) }
        hash.update(data: head)
        return Hexadecimal.text(Array(hash.finalize().prefix(16)))
    }

    // MARK: - Text

    private func addText(
        _ sources: AssetFileChoice.Sources, of record: AssetRecord, _ rows: [RenditionRecord],
        to movie: inout AssetMovie
    ) throws(AssetFileError) {
        for row in sources.subtitles {
            let made: AssetSubtitles?
            do throws(StoreError) { made = try store.reader.captions.subtitles(token, row.name) } catch {
                throw .store(error)
            }
            if let made { movie.addSubtitles(made.track, row) }
        }
        movie.addChapters(AssetChapters(store: store, token: token).list)
    }

    private func information(
        _ record: AssetRecord, chapters: [MovieInformation.Chapter]
    ) -> MovieInformation {
        var information = MovieInformation(title: record.name, chapters: chapters)
        if let name = record.poster,
            let bytes = try? DurableWrite.read(store.paths.asset(token).appending(name))
        {
            if bytes.starts(with: [0xFF, 0xD8]) { information.picture = .jpeg(bytes) }
            if bytes.starts(with: [0x89, 0x50]) { information.picture = .png(bytes) }
        }
        return information
    }

    // MARK: - Transport streams

    /// A transport stream as it is stored.
    private func packets(
        of video: RenditionRecord, _ record: AssetRecord
    ) throws(AssetFileError) -> AssetFile {
        let rendition = try IndexedRendition(video, of: token, in: store, skipping: choice.skipped)
        let units = ClearUnits(store: store, token: token, row: video)
        var stretches: [AssetFile.Stretch] = []
        var (offset, section): (UInt64, Int?) = (0, nil)
        try Self.checkCodecs(of: rendition)
        let shifts = try Self.shifts(of: rendition)
        var shift: Int64 = 0
        func add(_ unit: UnitName, _ length: Int) {
            stretches.append(AssetFile.Stretch(offset: offset, unit: unit, length: length, shift: shift))
            offset += UInt64(length)
        }
        for place in rendition.playlist.segments.indices {
            guard let index = try rendition.index(at: place) else { continue }
            let segment = rendition.playlist.segments[place]
            shift = shifts[place] ?? shift
            if let next = segment.initializationSection, next != section {
                section = next
                do throws(StoreError) {
                    add(.initialization(next), try units.bytes(.initialization(next)).count)
                } catch { throw .store(error) }
            }
            add(.segment(segment.mediaSequence), Int(index.clearSize))
        }
        guard !stretches.isEmpty else { throw rendition.lack(of: record, .ts) }
        return AssetFile(
            token, choice, content: .packets(stretches), sources: [rendition.outline], length: offset,
            duration: video.duration,
            entityTag: tag([rendition], head: Array("\(stretches.map(\.shift))".utf8)))
    }

    /// Checks that the codec of each track does not change, since players use the first program map.
    private static func checkCodecs(of rendition: IndexedRendition) throws(AssetFileError) {
        var first: [Int: SampleDescription] = [:]
        for place in rendition.playlist.segments.indices {
            guard let index = try rendition.index(at: place) else { continue }
            try rendition.refuseCodecChange(in: index, at: place)
            for track in index.tracks {
                guard let own = track.descriptions.first else { continue }
                let known = first[track.number] ?? own
                first[track.number] = known
                guard known.transportStreamType == own.transportStreamType else {
                    throw .codecChanges(
                        rendition: rendition.row.name, at: rendition.time(of: place), from: known.codec,
                        to: own.codec)
                }
            }
        }
    }

    /// The ticks by which the clock of each segment is shifted, by index, so that the clock of the file continues
    /// over discontinuities. That of the first segment stays.
    private static func shifts(of rendition: IndexedRendition) throws(AssetFileError) -> [Int: Int64] {
        let (places, pieces) = try rendition.pieces(stream: 0)
        let timeline = MovieTimeline(pieces)
        var shifts: [Int: Int64] = [:]
        for (index, place) in places.enumerated() {
            shifts[place] = Int64(
                ticksOf: timeline.shifts[index] - timeline.shifts[0], .toNearestOrAwayFromZero)
        }
        return shifts
    }
}
