import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

/// The packets of a transport stream that no multiplexer made.
struct MadePackets {
    private var counters: [Int: Int] = [:]

    /// The tables of a program whose streams, from 256 on, have these types (ISO/IEC 13818-1, table 2-34).
    mutating func tables(_ types: [UInt8]) -> [UInt8] {
        let streams = types.enumerated().flatMap { index, type -> [UInt8] in
            [type, 0xE1, UInt8(index), 0xF0, 0]
        }
        let association = packets(0, Self.section(0, [0, 1, 0xF0, 0]))
        let map = packets(4096, Self.section(2, [0xE1, 0, 0xF0, 0] + streams))
        return (association + map).flatMap(\.self)
    }

    /// A section with its checksum, and what fills its packet.
    private static func section(_ table: UInt8, _ content: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [table, 0xB0, UInt8(content.count + 9), 0, 1, 0xC1, 0, 0]
        let section = head + content
        let sum = CRC32.mpeg(section)
        let tail = (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
        let whole = [0] + section + tail
        return whole + [UInt8](repeating: 0xFF, count: 184 - whole.count)
    }

    /// The packets of a PES packet with a time stamp in ticks of 90 kHz.
    mutating func unit(_ content: [UInt8], at time: Int, kind: UInt8 = 0xBD) -> [[UInt8]] {
        let stamp = [
            UInt8(0x21 | (time >> 30 & 7) << 1), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE | 1),
            UInt8(time >> 7 & 0xFF), UInt8(time << 1 & 0xFE | 1),
        ]
        let head: [UInt8] = [0, 0, 1, kind, 0, 0, 0x80, 0x80, 5]
        return packets(256, head + stamp + content)
    }

    private mutating func packets(_ stream: Int, _ content: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: content.count, by: 184) {
            let part = content[start..<min(start + 184, content.count)]
            let space = 184 - part.count
            let counter = counters[stream, default: 0]
            counters[stream] = (counter + 1) % 16
            var packet: [UInt8] = [
                0x47, UInt8(stream >> 8) | (start == 0 ? 0x40 : 0), UInt8(stream & 0xFF),
                UInt8((space > 0 ? 0x30 : 0x10) | counter),
            ]
            if space > 0 { packet.append(UInt8(space - 1)) }
            if space > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: space - 2) }
            packets.append(packet + part)
        }
        return packets
    }
}

extension MadePackets {
    /// Headers of frames of AC-3 of 768 bytes, which last 32 ms (ETSI TS 102 366): with two channels, and with one.
    static let stereo: [UInt8] = [0x0B, 0x77, 0x12, 0x34, 0x14, 0x40, 0x40, 0]
    static let mono: [UInt8] = [0x0B, 0x77, 0x12, 0x34, 0x14, 0x40, 0x20, 0]

    /// Three frames of sound.
    static func frames(_ header: [UInt8] = stereo, seed: Int) -> [UInt8] {
        SampleMedia.frames(header, length: 768, count: 3, seed: UInt64(seed))
    }

    /// Segments of three frames of sound each.
    ///
    /// - Parameters:
    ///   - headers: the header of the frames of each segment.
    ///   - cut: packets at the end of each segment that come at the beginning of the next one; three packets are less
    ///     than a frame.
    ///   - types: the streams of the program, of which the first is the sound; none for segments without tables.
    ///   - time: the time of the first frame, in ticks of 90 kHz.
    static func sound(
        _ headers: [[UInt8]], cut: Int = 0, types: [UInt8] = [0x81], at time: Int = 900_000
    ) -> [[UInt8]] {
        var (stream, rest) = (MadePackets(), [UInt8]())
        var segments: [[UInt8]] = []
        for (index, header) in headers.enumerated() {
            let tables = types.isEmpty ? [] : stream.tables(types)
            let packets = stream.unit(frames(header, seed: index + 1), at: time + index * 8640)
            let end = packets.count - (index + 1 < headers.count ? cut : 0)
            segments.append(tables + rest + packets[..<end].flatMap(\.self))
            rest = packets[end...].flatMap(\.self)
        }
        return segments
    }
}

extension FilmFixture {
    /// Imports a playlist and the files that it names into a store that is stopped at the end.
    static func run(
        playlist: String, files: [(name: String, bytes: [UInt8])],
        _ body: (FilmFixture) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        for file in files { try folder.write(file.bytes, to: file.name) }
        let path = folder.file(playlist)
        try await StoreFixture.run { fixture async throws in
            let token = try await fixture.store.imports.add(FilePath(path), name: "film").token
            try await body(FilmFixture(store: fixture.store, token: token, source: path))
        }
        _ = folder
    }

    /// Imports segments of 96 ms into a store that is stopped at the end.
    ///
    /// - Parameters:
    ///   - suffix: the extension of their names.
    ///   - tags: tags before a segment, by its number.
    ///   - section: their initialization section.
    static func run(
        segments: [[UInt8]], _ suffix: String, tags: [Int: String] = [:], section: [UInt8]? = nil,
        _ body: (FilmFixture) async throws -> Void
    ) async throws {
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n"
        var files: [(name: String, bytes: [UInt8])] = []
        if let section {
            files.append(("section.\(suffix)", section))
            text += "#EXT-X-MAP:URI=\"section.\(suffix)\"\n"
        }
        for (index, bytes) in segments.enumerated() {
            files.append(("\(index).\(suffix)", bytes))
            text += "\(tags[index] ?? "")#EXTINF:0.096,\n\(index).\(suffix)\n"
        }
        files.append(("index.m3u8", Array((text + "#EXT-X-ENDLIST\n").utf8)))
        try await run(playlist: "index.m3u8", files: files, body)
    }

    /// A reader of the segments of the stream.
    var sampler: SegmentSampler {
        get throws {
            let record = try #require(try self.row())
            let source = try store.catalog.renditions.mediaPlaylist(token, "video")
            let playlist = try #require(source?.playlist)
            let units = ClearUnits(store: store, token: token, row: record, counts: false)
            return SegmentSampler(units, playlist)
        }
    }

    /// Has units of the stream be gone by the catalog. Their files stay.
    func lose(_ numbers: Int..., kind: UnitKind = .segment) throws {
        let id = try #require(try self.row()).id
        try store.catalog.units.markAbsent(
            numbers.map { AbsentRow(rendition: id, kind: kind, number: $0, finding: .gone) })
    }
}
