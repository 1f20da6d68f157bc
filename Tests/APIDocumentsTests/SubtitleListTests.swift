import StoreModel
import Testing

@testable import APIDocuments
@testable import StoreReading

@Suite("The list of subtitle tracks")
struct SubtitleListTests {
    private let token = Samples.token()

    private func track(_ name: String, _ language: String?, _ listing: String = "") -> SubtitleRendition {
        SubtitleRendition(
            RenditionRecord(
                name: name, position: 0, kind: .subtitles, required: false, language: language,
                listings: [listing], hasPlaylist: true, container: .vtt, duration: 60, segments: 1))
    }

    private func list(_ tracks: [SubtitleRendition]) -> SubtitleListDocument {
        SubtitleListDocument(token: token, tracks: tracks, server: "http://h.test")
    }

    @Test("names a track by its language, unless that means another track")
    func addresses() {
        let forced = track("subtitles-de-forced", "de", "FORCED=YES")
        let full = track("subtitles-de", "de")
        let nameless = track("subtitles", nil)
        let odd = track("subtitles-2", "no tag")
        let list = list([forced, full, nameless, odd])
        #expect(
            list.tracks.map(list.address(of:)) == ["subtitles-de-forced", "de", "subtitles", "subtitles-2"])
    }

    @Test("has the addresses of each track in the formats that have times, and of its playlist")
    func urls() {
        let document = list([track("subtitles-de", "de")]).json
        let urls = document["subtitles"]?.items.first?["urls"]
        let base = "http://h.test/assets/\(token)/subtitles"
        let names = urls?.members.map { $0.0 }
        #expect(names == ["vtt", "srt", "ass", "json", "playlist"])
        for format in ["vtt", "srt", "ass", "json"] {
            #expect(urls?[format]?.string == "\(base)/de.\(format)")
        }
        #expect(urls?["playlist"]?.string == "\(base)/subtitles-de/media.m3u8")
    }

    @Test("says which tracks there are when one is missing, each once")
    func missing() {
        let tracks = [track("subtitles-de", "de"), track("subtitles", nil)]
        #expect(
            SubtitleListDocument.noTrack("fr", among: tracks)
                == "The asset has no subtitles in fr; it has: de, subtitles.")
        #expect(
            SubtitleListDocument.noTrack("fr", among: [])
                == "The asset has no subtitles in fr; it has none.")
    }
}
