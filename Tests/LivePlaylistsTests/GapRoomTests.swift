import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel

@Suite("A gap in a recording of a wanted length")
struct GapRoomTests {
    private let base = URIReference("http://o/live/index.m3u8")

    @Test("ends with the segment that fills the recording", arguments: [4, 3.5])
    func room(_ seconds: Double) throws {
        let first = try Playlists.parsedMedia(LiveShow.page(0..<2))
        var window = LiveWindow(first, base: base, at: 0, room: seconds)
        let before = try window.take(first, base: base)
        #expect(before.entries.count == 2 && !before.isFull)
        let later = try Playlists.parsedMedia(LiveShow.page(9..<11))
        let growth = try window.take(later, base: base)
        #expect(growth.entries.map(\.isGap) == [true, true] && growth.isFull)
        #expect(window.next == 4)
    }
}
