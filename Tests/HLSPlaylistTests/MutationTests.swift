import HLSPlaylist
import Testing

@Suite("Damaged playlists")
struct MutationTests {
    @Test("give a playlist that comes back byte for byte, or an error, and never a crash")
    func mutations() throws {
        var random = SplitMix(state: 7)
        let originals = try Corpus.names.map(Corpus.bytes).filter { !$0.isEmpty }
        var accepted = 0
        for round in 0..<4000 {
            let bytes = random.damage(originals[round % originals.count])
            guard refusal(bytes) == nil else { continue }
            let playlist = try Playlist(parsing: bytes)
            #expect(playlist.serialized == bytes)
            #expect(!PlaylistReport(playlist).json.isEmpty)
            accepted += 1
        }
        #expect(accepted > 1000)
    }

    @Test("that are still accepted keep their segments when they are written again")
    func rewriting() throws {
        var random = SplitMix(state: 11)
        let originals = try Corpus.names.map(Corpus.bytes).filter { !$0.isEmpty }
        for round in 0..<1500 {
            let bytes = random.damage(originals[round % originals.count])
            guard refusal(bytes) == nil, case .media(let source) = try Playlist(parsing: bytes) else {
                continue
            }
            let copy = try media(String(decoding: rewritten(source), as: UTF8.self))
            #expect(copy.segments.count == source.segments.count)
            for (first, second) in zip(source.segments, copy.segments) {
                #expect(identity(first, source) == identity(second, copy))
            }
        }
    }

    private func rewritten(_ source: MediaPlaylist) -> [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        for segment in source.segments {
            let section = segment.initializationSection.map { source.initializationSections[$0] }
            writer.append(SegmentEntry(segment, uri: segment.uri, initializationSection: section))
        }
        return writer.bytes
    }

    /// What must not change when a playlist is written again.
    private func identity(_ segment: MediaSegment, _ playlist: MediaPlaylist) -> [String] {
        let section = segment.initializationSection.map { playlist.initializationSections[$0] }
        return [
            segment.uri, segment.durationText, "\(segment.mediaSequence)", "\(segment.isGap)",
            "\(segment.isDiscontinuity)", segment.byteRange?.verbatim ?? "", segment.programDateTime ?? "",
            section.map { "\($0)" } ?? "", Set(segment.keys.map(\.attributes.verbatim)).sorted().joined(),
        ]
    }
}

/// A small generator of the same numbers every time.
private struct SplitMix {
    var state: UInt64

    mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) >> 33) % max(limit, 1)
    }

    /// Cuts, flips, copies or strews in some bytes.
    mutating func damage(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        switch next(4) {
        case 0: return Array(bytes.prefix(next(bytes.count)))
        case 1: for _ in 0...next(6) { bytes[next(bytes.count)] = UInt8(next(256)) }
        case 2:
            let start = next(bytes.count)
            let piece = bytes[start..<min(bytes.count, start + next(200))]
            bytes.insert(contentsOf: piece, at: next(bytes.count))
        default:
            let marks = Array("\",:=@-9\n\r#{$}".utf8)
            for _ in 0...next(4) { bytes[next(bytes.count)] = marks[next(marks.count)] }
        }
        return bytes
    }
}
