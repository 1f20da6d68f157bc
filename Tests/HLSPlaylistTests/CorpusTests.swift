import Foundation
import HLSPlaylist
import Testing

@Suite("Playlists of other projects")
struct CorpusTests {
    @Test("are read as their projects read them", arguments: Corpus.namesWithExpectation)
    func expectation(name: String) throws {
        let report = PlaylistReport(try Playlist(parsing: Corpus.bytes(name))).json
        let found = try JSONSerialization.jsonObject(with: Data(report.utf8))
        let differences = difference(sorted(try Corpus.expectation(name)), sorted(found), at: "")
        #expect(differences == nil)
    }

    @Test("are written back byte for byte", arguments: Corpus.names)
    func roundTrip(name: String) throws {
        let bytes = try Corpus.bytes(name)
        guard refusal(bytes) == nil else { return }
        #expect(try Playlist(parsing: bytes).serialized == bytes)
    }

    @Test("exist in sufficient number")
    func count() {
        #expect(Corpus.names.count > 70)
        #expect(Corpus.namesWithExpectation.count > 50)
    }

    @Test(
        "are refused where players refuse them or would fetch the wrong bytes",
        arguments: [
            ("globocom__iptv_playlist_with_custom_tags", PlaylistError.Code.badDuration, 4),
            ("globocom__playlist_with_negative_media_sequence", .badInteger, 3),
            ("globocom__windows_playlist", .notAPlaylist, 1),
            (
                "hls.js__m3u8-parser_fails-to-parse-Media-Playlist-when-variable-reference-preced_level",
                .undefinedVariable("bar"), 6
            ),
            ("m3u8-parser__byteRange", .badByteRange, 13),
            ("m3u8-parser__emptyTargetDuration", .mixedKinds, 3),
            ("m3u8-parser__extinf", .badDuration, 9),
            ("m3u8-parser__invalidMediaSequence", .badInteger, 3),
            ("m3u8-parser__manifestNoExtM3u", .notAPlaylist, 1),
            ("media3__HlsDownloadTestData_", .missingURI, 2),
            ("media3__HlsMediaPlaylistParserTest_mapTag_playlistString", .badAttributeList, 7),
            (
                "media3__HlsMultivariantPlaylistParserTest__PLAYLIST_WITH_DUPLICATE_VARIABLE_NAMES",
                .duplicateVariable("var_name"), 4
            ),
        ])
    func refused(name: String, code: PlaylistError.Code, line: Int) throws {
        let error = try #require(refusal(try Corpus.bytes(name)))
        #expect(error.code == code)
        #expect(error.line == line)
    }

    /// Renditions may stand in any order.
    private func sorted(_ value: Any) -> Any {
        guard var object = value as? [String: Any], let media = object["media"] as? [[String: Any]] else {
            return value
        }
        object["media"] = media.sorted { sortKey($0) < sortKey($1) }
        return object
    }

    private func sortKey(_ rendition: [String: Any]) -> String {
        ["type", "groupId", "name"].map { rendition[$0] as? String ?? "" }.joined(separator: "\u{1}")
    }

    /// The first place where the report lacks what is expected.
    private func difference(_ expected: Any, _ found: Any?, at path: String) -> String? {
        if let expected = expected as? [String: Any] {
            guard let found = found as? [String: Any] else { return "\(path): no object" }
            return expected.keys.sorted().lazy
                .compactMap { difference(expected[$0] ?? NSNull(), found[$0], at: "\(path).\($0)") }.first
        }
        if let expected = expected as? [Any] {
            guard let found = found as? [Any], found.count == expected.count else { return "\(path): count" }
            return expected.indices.lazy
                .compactMap { difference(expected[$0], found[$0], at: "\(path)[\($0)]") }.first
        }
        if expected is NSNull { return found == nil || found is NSNull ? nil : "\(path): not null" }
        if let expected = expected as? NSNumber, let found = found as? NSNumber {
            return abs(expected.doubleValue - found.doubleValue) < 1e-6 ? nil : "\(path): \(found)"
        }
        return (expected as? String) == (found as? String) ? nil : "\(path): \(found ?? "nothing")"
    }
}
