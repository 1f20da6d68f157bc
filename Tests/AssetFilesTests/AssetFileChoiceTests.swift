import AssetStore
import Testing

@testable import AssetFiles

@Suite("The tracks that come into a file")
struct AssetFileChoiceTests {
    private func row(
        _ name: String, _ kind: RenditionKind, _ language: String? = nil,
        _ change: (inout RenditionRecord) -> Void = { _ in }
    ) -> RenditionRecord {
        var row = RenditionRecord(
            name: name, position: 0, kind: kind, required: false, language: language, listings: [],
            hasPlaylist: true, container: .m4s, duration: 4, segments: 1)
        row.storedSegments = 1
        change(&row)
        return row
    }

    private func sources(
        _ rows: [RenditionRecord], _ format: AssetFileFormat = .mp4,
        _ change: (inout AssetFileChoice) -> Void = { _ in }
    ) throws -> AssetFileChoice.Sources {
        var choice = AssetFileChoice(format)
        change(&choice)
        return try choice.sources(rows)
    }

    /// The error with which a choice is refused.
    private func missing(_ rows: [RenditionRecord], _ change: (inout AssetFileChoice) -> Void) -> String? {
        do {
            _ = try sources(rows, .mp4, change)
        } catch let error as AssetFileError {
            if case .noSuchTrack(let name) = error { return name }
        } catch {}
        return nil
    }

    @Test("are of the variant that the asset needs, else of the first that is complete, else of the first")
    func variant() throws {
        let part = row("part", .variant) { $0.storedSegments = 0 }
        let (first, needed) = (row("first", .variant), row("needed", .variant) { $0.required = true })
        let lost = row("lost", .variant) { ($0.failure, $0.required) = ("gone", true) }
        let carried = row("carried", .variant) { $0.hasPlaylist = false }
        #expect(try sources([part, lost, carried, first, needed]).video?.name == "needed")
        #expect(try sources([part, lost, carried, first]).video?.name == "first")
        #expect(try sources([carried, lost, part]).video?.name == "part")
        #expect(try sources([lost, carried]).video == nil)
    }

    @Test("are those of the named variant, if it exists")
    func named() throws {
        let rows = [row("a", .variant) { $0.required = true }, row("b", .variant), row("c", .audio)]
        #expect(try sources(rows) { $0.video = "b" }.video?.name == "b")
        #expect(missing(rows) { $0.video = "c" } == "c")
    }

    @Test("have all sound that is complete, or the languages that are named in their order, also incomplete")
    func sound() throws {
        let rows = [
            row("v", .variant), row("en", .audio, "en"), row("de", .audio, "de") { $0.storedSegments = 0 },
            row("s", .subtitles, "fr"),
        ]
        #expect(try sources(rows).audio.map(\.name) == ["en"])
        #expect(try sources(rows) { $0.audio = ["de", "en", "de"] }.audio.map(\.name) == ["de", "en"])
        #expect(try sources(rows) { $0.audio = [] }.audio.isEmpty)
        #expect(missing(rows) { $0.audio = ["fr"] } == "fr")
    }

    @Test("begin with the default sound of the stream, unless languages are named")
    func defaultSound() throws {
        let rows = [
            row("v", .variant), row("en", .audio, "en") { $0.listings = ["DEFAULT=NO"] },
            row("de", .audio, "de") { $0.listings = ["DEFAULT=YES"] }, row("fr", .audio, "fr"),
        ]
        for format in [AssetFileFormat.mp4, .m4a, .ts] {
            #expect(try sources(rows, format).audio.map(\.name) == ["de", "en", "fr"])
        }
        #expect(try sources(rows) { $0.audio = ["en", "de"] }.audio.map(\.name) == ["en", "de"])
    }

    @Test("have the sound in the variant stream when that is the sound that is wanted")
    func muxed() throws {
        let video = row("v", .variant)
        let rows = [video, row("own", .audio, "de") { $0.hasPlaylist = false }, row("en", .audio, "en")]
        let all = try sources(rows)
        #expect(all.takesMuxedSound && all.muxed?.name == "own" && all.audio.map(\.name) == ["en"])
        #expect(try !sources(rows) { $0.audio = ["en"] }.takesMuxedSound)
        #expect(try sources([video]).takesMuxedSound && sources([video]).muxed == nil)
        #expect(try !sources([video]) { $0.audio = [] }.takesMuxedSound)
        #expect(try sources([video]) { $0.audio = ["*"] }.takesMuxedSound)
        #expect(missing([video]) { $0.audio = ["de"] } == "de")
    }

    @Test("have subtitles only in a film: all complete ones or the named ones")
    func subtitles() throws {
        let rows = [
            row("v", .variant), row("de", .subtitles, "de"),
            row("en", .subtitles, "en") { $0.storedSegments = 0 },
        ]
        #expect(try sources(rows).subtitles.map(\.name) == ["de"])
        #expect(try sources(rows) { $0.subtitles = ["en"] }.subtitles.map(\.name) == ["en"])
        #expect(try sources(rows, .m4a).subtitles.isEmpty && sources(rows, .ts).subtitles.isEmpty)
    }

    @Test("are no pictures in an audio file, unless the audio is in the same stream")
    func soundAlone() throws {
        let (video, own) = (row("v", .variant), row("a", .audio))
        #expect(try sources([video, own], .m4a).media.map(\.name) == ["a"])
        #expect(try sources([video, own], .mp4).media.map(\.name) == ["v", "a"])
        #expect(try sources([video], .m4a).media.map(\.name) == ["v"])
    }
}
