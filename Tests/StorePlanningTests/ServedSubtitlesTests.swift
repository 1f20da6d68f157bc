import HLSPlaylist
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("Subtitles that the user added")
struct ServedSubtitlesTests {
    private func row(_ kind: RenditionKind, _ listing: String, sourceFile: String? = nil) -> RenditionRecord {
        RenditionRecord(
            name: "x", position: 0, kind: kind, required: false, listings: [listing], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2, sourceFile: sourceFile)
    }

    private var ofStream: [RenditionRecord] {
        [
            row(.variant, #"BANDWIDTH=1"#), row(.variant, #"BANDWIDTH=2,SUBTITLES="s""#),
            row(.audio, #"TYPE=AUDIO,GROUP-ID="a",NAME="en""#),
        ]
    }

    @Test("are in the group of each variant, and variants without one get a group for them")
    func grouped() {
        let added = row(.subtitles, #"TYPE=SUBTITLES,NAME="en""#, sourceFile: "en.srt")
        let listings = ServedSubtitles.grouped(ofStream + [added]).map(\.listings)
        #expect(
            listings == [
                [#"BANDWIDTH=1,SUBTITLES="sideband""#], [#"BANDWIDTH=2,SUBTITLES="s""#],
                [#"TYPE=AUDIO,GROUP-ID="a",NAME="en""#],
                [
                    #"TYPE=SUBTITLES,NAME="en",GROUP-ID="sideband""#,
                    #"TYPE=SUBTITLES,NAME="en",GROUP-ID="s""#,
                ],
            ])
    }

    @Test("change nothing of an asset that has none")
    func none() {
        #expect(ServedSubtitles.grouped(ofStream) == ofStream)
    }
}
