import StoreModel
import Testing

@testable import APIDocuments

@Suite("The shape of a body")
struct APIShapesTests {
    private func fault(_ body: String, _ schema: String) -> JSONFault? {
        APIShapes.fault(in: Array(body.utf8), schema)
    }

    @Test(
        "permits what its schema describes",
        arguments: [
            ("DownloadRequest", #"{"url": "http://a.test/b"}"#),
            ("DownloadRequest", #"[{"url": "http://a.test/b", "max_height": 720}, "http://a.test/c"]"#),
            ("DownloadRequest", #"{"assets": ["http://a.test/b"], "next": 1}"#),
            ("ControlRequest", #"{"action": "pause", "tokens": ["x"]}"#),
            ("ControlRequest", #"{"action": "prioritize", "all": true, "priority": 5}"#),
            ("SettingsEdit", #"{"schedule": "22:00-06:00", "limit_rate": null}"#),
            ("SettingsEdit", #"{"schedule": "always", "max_downloads": 64}"#),
            ("PositionRequest", #"{"position": 12.5, "watched": true}"#),
            ("KeyRequest", #"{"key": "k0:000102030405060708090a0b0c0d0e0f"}"#),
            ("TracksRequest", #"{"audio": ["de"], "subtitles": "all"}"#),
            ("LicenseRequest", #"{"rental": "30d", "play_window": 3600}"#),
            ("PruneRequest", #"{"evict": ["watched"], "free": 5}"#), ("Object", "{}"),
            // No body at all counts as an empty object.
            ("CancelRequest", ""), ("AssetEdit", ""),
        ] as [(String, String)])
    func right(_ schema: String, _ body: String) {
        #expect(fault(body, schema) == nil)
    }

    @Test(
        "has a fault at the first value that does not fit",
        arguments: [
            ("DownloadRequest", #"{"url": "http://a.test/b", "nme": "x"}"#, "/nme"),
            ("DownloadRequest", #"["http://a.test/b", {"url": "http://a.test/c", "nme": "x"}]"#, "/1/nme"),
            ("DownloadRequest", #"{"assets": [{"url": 5}]}"#, "/assets/0/url"),
            ("DownloadRequest", #"{"assets": []}"#, "/assets"),
            ("ControlRequest", #"{"action": "fly", "all": true}"#, "/action"),
            ("ControlRequest", #"{"action": "pause", "tokenz": []}"#, "/tokenz"),
            ("SettingsEdit", #"{"schedule": "22"}"#, "/schedule"),
            ("SettingsEdit", #"{"schedule": "22:00-22:00"}"#, "/schedule"),
            ("SettingsEdit", #"{"max_downloads": 65}"#, "/max_downloads"),
            ("PositionRequest", #"{"position": -1}"#, "/position"),
            ("PositionRequest", #"{"watched": true}"#, ""),
            ("KeyRequest", #"{"key": "k0"}"#, "/key"),
            ("TracksRequest", #"{"audio": 5}"#, "/audio"),
            ("LicenseRequest", #"{"rental": "soon"}"#, "/rental"),
            ("PruneRequest", #"{"evict": ["all"]}"#, "/evict/0"),
            ("Object", #"{"x": 1}"#, "/x"),
        ] as [(String, String, String)])
    func wrong(_ schema: String, _ body: String, _ pointer: String) {
        #expect(fault(body, schema)?.pointer == pointer)
    }

    @Test("knows the names of all members, so that a mistyped one gets a suggestion")
    func suggestions() {
        let download = fault(#"{"max_heigth": 720, "url": "http://a.test/b"}"#, "DownloadRequest")
        #expect(download?.suggestion == "max_height")
        // The members of this one stand in several schemas.
        #expect(fault(#"{"tokns": []}"#, "ControlRequest")?.suggestion == "tokens")
    }

    @Test("asks for the members that have to be there")
    func missing() {
        #expect(fault(#"{"name": "N"}"#, "DownloadRequest")?.kind == .missing("url"))
        #expect(fault("", "PositionRequest")?.kind == .missing("position"))
    }

    @Test("is no shape of a text that is no JSON")
    func syntax() {
        guard case .syntax? = fault("{", "Object")?.kind else {
            Issue.record("it was read")
            return
        }
    }
}
