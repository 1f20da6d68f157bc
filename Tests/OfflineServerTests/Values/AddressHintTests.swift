import AssetStore
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A text that is not an address")
struct AddressHintTests {
    @Test(
        "gets the fitting advice",
        arguments: [
            ("/films/a.m3u8", "`offline-server import /films/a.m3u8`"),
            ("file:///films/a.m3u8", "`offline-server import /films/a.m3u8`"),
            ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "`offline-server status 01ARZ3NDEKTSV4RRFFQ69G5FAV`"),
            ("01ARZ3NDEKTSV4RRFFQ69G5FA", "`offline-server list`"),
            ("A2345678901234567890Z", "`offline-server list`"),
            ("A234567890123456789Z", "begins with https:// or http://"),
            ("ÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜ", "begins with https:// or http://"),
            ("films.example/season/a.m3u8", "begins with https:// or http://"),
            ("films.example/a.m3u8", "begins with https:// or http://"),
            ("", "begins with https:// or http://"), ("/films/b.m3u8", "begins with https:// or http://"),
        ])
    func advice(_ text: String, _ expected: String) {
        let advice = AddressHint.advice(for: text) { $0 == "/films/a.m3u8" }
        #expect(advice.contains(expected), "\(advice)")
    }
}
