import Testing

@testable import StoreModel

/// How much of an asset is said to be stored.
struct AssetProgressTests {
    private func progress(video: Int, subtitles: Int) -> Double {
        func rendition(_ kind: RenditionKind, _ stored: Int) -> AssetRendition {
            AssetRendition(
                RenditionRecord(
                    name: kind.rawValue, position: 0, kind: kind, required: true, listings: [""],
                    hasPlaylist: true, container: .ts, duration: 40, segments: 10, storedSegments: stored,
                    storedBytes: Int64(stored * 100)))
        }
        return [rendition(.variant, video), rendition(.subtitles, subtitles)].progress
    }

    @Test(
        "progress does not jump when a rendition without a declared bit rate is complete and can be measured")
    func measured() {
        #expect(progress(video: 9, subtitles: 5) < progress(video: 10, subtitles: 5))
        #expect(progress(video: 10, subtitles: 10) == 1)
    }
}
