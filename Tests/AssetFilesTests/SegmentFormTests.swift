import AssetStore
import MediaContainers
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The samples of a segment")
struct SegmentFormTests {
    private static let tracks = [MadeTrack.picture(width: 160), .sound(rate: 48_000)]
    private static let segment = MadeRendition.Segment(tracks: tracks, start: 900_000, seconds: 2)

    private func samples(_ change: (inout SegmentSamples) -> Void = { _ in }) -> SegmentSamples {
        var samples = SegmentSamples(tracks: Self.segment.samples(), clearSize: 4711, wraps: false)
        change(&samples)
        return samples
    }

    /// The big-endian number of four bytes behind the version of the first box with a name.
    private func number(behind name: String, in bytes: [UInt8]) throws -> Int {
        let place = try #require(bytes.firstRange(of: name.utf8)).upperBound + 4
        return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("become a fragment with the next number, at their own times or from the wanted time on")
    func fragment() throws {
        let writer = Self.segment.writer
        let movie = try MovieTrack.all(in: writer.initializationSection)
        for (beginning, shift) in [(nil, 0), (900_000, 0), (990_000, 1), (0, -10)] as [(Int64?, Int64)] {
            let form = FragmentedForm(beginning: beginning)
            let bytes = form.segment(samples(), by: writer, number: 4, repeatsSets: false)
            #expect(try number(behind: "mfhd", in: bytes) == 5)
            let tracks = try SegmentFragments(bytes, movie: movie).tracks
            let starts = tracks.map { $0.samples.first?.decodeTime }
            #expect(starts == [(10 + shift) * 90_000, (10 + shift) * 48_000])
        }
    }

    @Test("become a fragment of the wanted tracks, in the order of its section")
    func parts() throws {
        let writer = Self.segment.writer
        let movie = try MovieTrack.all(in: writer.initializationSection)
        let turned = samples { $0.tracks.reverse() }
        let cases: [(FragmentedForm.Part, [MovieTrack.Kind])] = [
            (.all, [.video, .audio]), (.video, [.video]), (.audio, [.audio]),
        ]
        for (part, kinds) in cases {
            let form = FragmentedForm(part)
            #expect(form.writer(writer).tracks.map(\.kind) == kinds)
            let bytes = form.segment(turned, by: writer, number: 0, repeatsSets: false)
            let made = try SegmentFragments(bytes, movie: movie)
            #expect(made.tracks.map(\.track.kind) == kinds)
            for track in made.samples(of: bytes) {
                #expect(turned.tracks.contains { $0.bytes == track.bytes })
            }
        }
        let mute = samples { $0.tracks.removeLast() }
        let bytes = FragmentedForm().segment(mute, by: writer, number: 0, repeatsSets: false)
        #expect(try SegmentFragments(bytes, movie: movie).tracks.map(\.track.kind) == [.video])
    }

    @Test("bring parameter sets along on request, and where the description has changed")
    func parameterSets() {
        func size(repeatsSets: Bool = false, changed: Set<Int> = []) -> Int {
            let samples = samples { $0.changed = changed }
            return FragmentedForm().segment(
                samples, by: Self.segment.writer, number: 0, repeatsSets: repeatsSets
            ).count
        }
        let plain = size()
        #expect(size(repeatsSets: true) > plain && size(changed: [1]) == size(repeatsSets: true))
        #expect(size(changed: [2]) == plain)
    }

    @Test("keep their tags, unless the fragment is sound alone")
    func tags() {
        let tagged = samples { $0.tags = [TimedTag(time: 900_000, bytes: Array("ID3".utf8))] }
        let cases: [(FragmentedForm.Part, Bool)] = [(.all, true), (.video, true), (.audio, false)]
        for (part, hasTag) in cases {
            let bytes = FragmentedForm(part).segment(
                tagged, by: Self.segment.writer, number: 0, repeatsSets: false)
            #expect((bytes.firstRange(of: "emsg".utf8) != nil) == hasTag)
        }
    }

    @Test("are converted from transport streams and packed audio always, and from MP4 for a part or a time")
    func conversions() {
        let forms = [FragmentedForm(), FragmentedForm(.audio), FragmentedForm(beginning: 0)]
        let cases: [(ContainerFormat, [Bool])] = [
            (.ts, [true, true, true]), (.aac, [true, true, true]), (.mp3, [true, true, true]),
            (.m4s, [false, true, true]), (.mp4, [false, true, true]), (.vtt, [false, false, false]),
        ]
        for (container, made) in cases {
            #expect(forms.map { $0.isMade(of: container) } == made, "\(container)")
        }
        #expect(FragmentedForm(.video).name == "video" && FragmentedForm(beginning: 0).name == "all-0")
    }

    @Test("begin with the first picture or sound, not below zero and not with text")
    func firstTick() {
        func index(_ starts: [(MovieTrack.Kind, Int)]) -> SampleIndex {
            let tracks = starts.map { kind, start in
                SampleIndex.Track(
                    MadeTrack.picture(width: 160).samples(from: start, seconds: 1), kind: kind)
            }
            return SampleIndex(tracks: tracks, clearSize: 1, wraps: false)
        }
        let cases: [([(MovieTrack.Kind, Int)], Int64)] = [
            ([(.video, 180_000), (.audio, 90_000)], 90_000),
            ([(.video, 90_000), (.audio, 180_000)], 90_000),
            ([(.text, 0), (.video, 90_000)], 90_000),
            ([(.other, 0), (.audio, 90_000)], 90_000),
            ([(.video, -90_000)], 0), ([(.text, 90_000)], 0), ([], 0),
        ]
        for (starts, tick) in cases { #expect(index(starts).firstTick == tick) }
    }

    @Test("are indexed with what their initialization section says of the track, else by their shape")
    func index() throws {
        var output = OutputTrack(number: 1, of: Self.segment.samples()[0])
        (output.presentationStart, output.delay, output.rollDistance) = (1800, 90_000, -2)
        let movie = try MovieTrack.all(in: FragmentWriter(tracks: [output]).initializationSection)
        let index = samples { ($0.movie, $0.wraps) = (movie, true) }.index
        #expect(index.clearSize == 4711 && index.wraps && index.tracks.map(\.kind) == [.video, .audio])
        let (pictures, sound) = (index.tracks[0], index.tracks[1])
        #expect(pictures.presentationStart == 1800 && pictures.delay == 90_000)
        #expect(pictures.rollDistance == -2)
        #expect(sound.presentationStart == 0 && sound.delay == 0 && sound.rollDistance == 0)
        #expect(samples().sizes == Self.segment.samples().map(\.bytes.count))
        #expect(MovieTrack.Kind(nil) == .other && MovieTrack.Kind(.other) == .other)
    }

    @Test("are those of a track by its kind and by its place among tracks of that kind")
    func places() throws {
        let kinds: [MovieTrack.Kind] = [.text, .audio, .video, .audio]
        let cases: [(Bool, Int, Int?)] = [
            (true, 0, 1), (true, 1, 3), (true, 2, nil), (false, 0, 2), (false, 1, nil),
        ]
        for (isSound, ordinal, place) in cases {
            let track = AssetFile.Track(source: 0, isSound: isSound, ordinal: ordinal)
            #expect(track.place(among: kinds) == place)
        }
        let samples = samples()
        let sound = AssetFile.Track(source: 0, isSound: true, ordinal: 0)
        let pictures = AssetFile.Track(source: 0, isSound: false, ordinal: 0)
        #expect(sound.samples(samples)?.number == 2 && sound.samples(samples.index)?.number == 2)
        #expect(pictures.samples(samples)?.number == 1 && pictures.samples(samples.index)?.number == 1)
        let second = AssetFile.Track(source: 0, isSound: true, ordinal: 1)
        #expect(second.samples(samples) == nil && second.samples(samples.index) == nil)
    }
}

@Suite("The samples in a stored file of fragments")
struct StoredFragmentsTests {
    @Test("are stretches of the file, each up to where the samples of another track begin")
    func stretches() throws {
        let segment = MadeRendition.Segment(
            tracks: [.picture(width: 160), .sound(rate: 48_000)], start: 0, seconds: 2)
        let (first, second) = (segment.samples(seed: 1), segment.samples(seed: 2))
        let bytes =
            segment.writer.segment(first, sequenceNumber: 1)
            + segment.writer.segment(second, sequenceNumber: 2)
        let folder = try TemporaryDirectory()
        let file = try OpenedFile(FilePath(folder.write(bytes, to: "0.m4s")))
        let movie = try MovieTrack.all(in: segment.writer.initializationSection)
        let fragments = StoredFragments(file, try SegmentFragments(file, movie: movie, times: [:]))
        let tracks = zip(first, second).map { $0.bytes + $1.bytes }
        #expect(fragments.sizes == tracks.map(\.count))
        for (isSound, all) in zip([false, true], tracks) {
            let track = AssetFile.Track(source: 0, isSound: isSound, ordinal: 0)
            let border = all.count / 2
            // The offset, the wish, and how many bytes come.
            let cases: [(Int, Int, Int)] = [
                (0, 10, 10), (0, border, border), (0, border + 1, border), (border - 1, 5, 1),
                (border, 5, 5), (border, border, border), (all.count - 1, 1, 1),
            ]
            for (offset, count, length) in cases {
                let stretch = try #require(fragments.stretch(of: track, at: offset, count: count))
                #expect(try Array(stretch.read()) == Array(all[offset..<offset + length]))
            }
            #expect(fragments.stretch(of: track, at: border, count: border + 1) == nil)
            #expect(fragments.stretch(of: track, at: all.count, count: 1) == nil)
        }
        let other = AssetFile.Track(source: 0, isSound: true, ordinal: 1)
        #expect(fragments.stretch(of: other, at: 0, count: 1) == nil)
    }
}

@Suite("Facts from which files are made")
struct FileFactTests {
    @Test("are whether missing segments still come, can be fetched, or have to be repaired")
    func completion() {
        let cases: [(AssetState?, String)] = [
            (.resolving, "arriving"), (.queued, "arriving"), (.downloading, "arriving"),
            (.complete, "repairable"), (.paused, "resumable"), (.cancelled, "resumable"),
            (.failed, "resumable"), (.removing, "resumable"), (nil, "resumable"),
        ]
        for (state, name) in cases { #expect("\(Completion(state))" == name) }
    }

    @Test("are the kind of AAC that the stream names, of which PS is the more precise")
    func soundObject() {
        let cases: [(String?, Int?)] = [
            ("avc1.64001f,mp4a.40.5", 5), ("mp4a.40.29", 29), ("mp4a.40.5,mp4a.40.29", 29),
            ("mp4a.40.2", nil), (nil, nil),
        ]
        for (codecs, object) in cases {
            let row = RenditionRecord(
                name: "a", position: 0, kind: .audio, required: true, codecs: codecs, listings: [],
                hasPlaylist: true, container: .aac, duration: 4, segments: 1)
            #expect(row.namedSoundObject == object)
        }
    }

    @Test("are an asset and a rendition, by the folder in which a segment is")
    func place() {
        let token = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        let place = IndexedPlace(FilePath("/store/assets/\(token)/video/0.ts"))
        #expect(place?.token.description == token && place?.rendition == "video")
        #expect(IndexedPlace(FilePath("\(token)/video/0.ts"))?.rendition == "video")
        for path in ["/\(token)/0.ts", "/\(token)/a/b/0.ts", "/store/assets/video/0.ts", "0.ts"] {
            #expect(IndexedPlace(FilePath(path)) == nil)
        }
    }

    @Test("are a few characters in manifests: seconds with three digits, and parts of subtitles")
    func words() {
        let cases: [(Double, String)] = [
            (0, "0.0"), (2, "2.0"), (0.0004, "0.0"), (0.0006, "0.001"), (7.5, "7.5"), (-3, "0.0"),
        ]
        for (seconds, text) in cases { #expect(ManifestWriter.text(seconds) == text) }
        #expect(ManifestWriter.part(from: 1.5, to: 4) == "?t=1.5,4.0")
        #expect(ManifestWriter.part(from: 6, to: nil) == "?t=6.0")
    }
}
