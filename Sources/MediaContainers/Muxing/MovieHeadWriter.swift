/// Writes the boxes before the samples of a progressive file.
struct MovieHeadWriter {
    let tracks: [MovieLayoutBuilder.Track]
    /// In the order of the file, with offsets from the first of them.
    let chunks: [MovieLayout.Chunk]
    let information: MovieInformation

    /// Ticks per second of the movie: the clock of transport streams, in which frames of the usual rates have whole
    /// durations.
    static let timescale: UInt32 = 90_000

    /// How long the longest track plays, in ticks of the movie.
    private var duration: UInt64 { tracks.map { end(of: $0) }.max() ?? 0 }
    /// The duration in seconds.
    var seconds: Double { Double(duration) / Double(Self.timescale) }

    private func ticks(_ time: Int64, _ track: MovieLayoutBuilder.Track) -> UInt64 {
        UInt64(clamping: Ticks.scaled(time, from: track.output.timescale, to: Self.timescale))
    }

    private func end(of track: MovieLayoutBuilder.Track) -> UInt64 {
        track.table.presented.map { ticks($0.upperBound, track) } ?? 0
    }

    /// `ftyp`, `moov`, and the header of an `mdat` of so many bytes.
    ///
    /// Offsets of chunks have 32 bits, or 64 bits if the file is too large for 32.
    func head(mediaSize: UInt64) -> [UInt8] {
        let short = head(mediaSize: mediaSize, isLong: false)
        guard UInt64(short.count) + mediaSize > UInt64(UInt32.max) else { return short }
        return head(mediaSize: mediaSize, isLong: true)
    }

    private func head(mediaSize: UInt64, isLong: Bool) -> [UInt8] {
        var writer = ByteWriter(
            reserving: tracks.reduce(chunks.count * 16 + 65_536) { $0 + $1.table.mostBytes })
        // The places of the tracks' next offsets.
        var places: [Int] = []
        writer.box("ftyp") { $0.text("isom\0\0\u{2}\0isomiso2avc1mp41") }
        writer.box("moov") { writer in
            let next = (tracks.map(\.output.number).max() ?? 0) + 1
            MovieBoxes.movieHeader(
                &writer, timescale: Self.timescale, duration: duration, nextTrack: next)
            for track in tracks { places.append(write(track, &writer, isLong: isLong)) }
            information.write(&writer)
        }
        writer.u32(1)
        writer.text("mdat")
        writer.u64(mediaSize + 16)
        // Offsets count from the beginning of the file: the length of all boxes before the samples is known only now.
        for chunk in chunks {
            let offset = chunk.offset + UInt64(writer.count)
            if isLong {
                writer.patch64(at: places[chunk.track], offset)
            } else {
                writer.patch32(at: places[chunk.track], offset)
            }
            places[chunk.track] += isLong ? 8 : 4
        }
        return writer.bytes
    }

    /// Writes a track.
    ///
    /// - Returns: the place of the offsets of its chunks, which are 0.
    private func write(
        _ track: MovieLayoutBuilder.Track, _ writer: inout ByteWriter, isLong: Bool
    ) -> Int {
        var place = 0
        writer.box("trak") { writer in
            MovieBoxes.trackHeader(&writer, track.output, duration: end(of: track))
            writeEdits(of: track, &writer)
            if let chapters = track.chapters {
                writer.box("tref") { $0.box("chap") { $0.u32(chapters) } }
            }
            MovieBoxes.media(&writer, of: track.output, duration: track.table.duration) { writer in
                track.table.write(&writer)
                track.output.writeGroups(&writer, count: track.table.count)
                Self.writeRuns(of: track.chunks, &writer)
                writer.box(isLong ? "co64" : "stco", version: 0) { writer in
                    writer.u32(track.chunks.count)
                    place = writer.count
                    writer.zeros(track.chunks.count * (isLong ? 8 : 4))
                }
            }
        }
        return place
    }

    /// At most one empty edit, until the track begins, and one of its media.
    private func writeEdits(of track: MovieLayoutBuilder.Track, _ writer: inout ByteWriter) {
        guard let presented = track.table.presented, let first = track.table.firstTime else { return }
        let start = max(presented.lowerBound, 0)
        let wait = ticks(start, track)
        let length = end(of: track) - wait
        let media = UInt64(clamping: start - first)
        let isLong = max(wait, length, media) > UInt64(Int32.max)
        func write(_ duration: UInt64, from time: Int64, _ writer: inout ByteWriter) {
            if isLong {
                writer.u64(duration)
                writer.u64(time)
            } else {
                writer.u32(duration)
                writer.u32(time)
            }
            writer.u32(0x1_0000)
        }
        writer.box("edts") { writer in
            writer.box("elst", version: isLong ? 1 : 0) { writer in
                writer.u32(wait > 0 ? 2 : 1)
                if wait > 0 { write(wait, from: -1, &writer) }
                write(length, from: Int64(clamping: media), &writer)
            }
        }
    }

    /// Writes `stsc`: which chunks have how many samples.
    private static func writeRuns(of chunks: [MovieLayout.Chunk], _ writer: inout ByteWriter) {
        writer.box("stsc", version: 0) { writer in
            let place = writer.bytes.count
            writer.u32(0)
            var (count, last): (UInt32, (UInt32, UInt32)) = (0, (0, 0))
            for (index, chunk) in chunks.enumerated() where last != (chunk.count, chunk.description) {
                last = (chunk.count, chunk.description)
                count += 1
                writer.u32(index + 1)
                writer.u32(chunk.count)
                writer.u32(chunk.description)
            }
            writer.patch32(at: place, count)
        }
    }
}
