import HLSPlaylist
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

/// Keys that no playlist names: the stored initialization sections tell which samples they open.
@Suite("The keys of samples")
struct SampleKeysTests {
    private static let picture = Array("kid of the track".utf8)
    private static let sound = Array("kid of the sound".utf8)
    private static let sealed = OriginResource.pattern(40, seed: 91)
    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    private var keys: SampleKeys { SampleKeys(paths: StorePaths(root: FilePath(folder.path)), token: token) }

    private func store(_ section: [UInt8], _ number: Int = 0, _ rendition: String = "video") throws {
        try folder.write(section, to: "assets/\(token)/\(rendition)/init-\(number).mp4")
    }

    /// An initialization section with a track for each scheme and key identifier.
    private func section(_ tracks: [(scheme: String, identifier: [UInt8])]) -> [UInt8] {
        ProtectedMovie.initialization(
            tracks.map { [ProtectedMovie.entry(ProtectedMovie.protection($0.scheme, $0.identifier))] })
    }

    /// A playlist with two initialization sections.
    private func playlist() throws -> MediaPlaylist {
        let segments = ["0", "1"].map { "#EXT-X-MAP:URI=\"\($0).mp4\"\n#EXTINF:4,\n\($0).m4s\n" }
        return try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n\(segments.joined())#EXT-X-ENDLIST\n")
    }

    /// A key that the user gave by its identifier in the media.
    private func given(_ id: String, _ identifier: [UInt8], isThere: Bool = true) -> KeyRecord {
        KeyRecord(id: id, url: "kid:\(id)", sealed: isThere ? Self.sealed : nil, identifier: identifier)
    }

    private func served(_ records: [KeyRecord], _ view: LiveView = LiveView()) throws -> ServedKeys {
        keys.served(records, rendition: "video", try playlist(), base: "https://o.test/v.m3u8", view: view)
    }

    @Test("that the user gave are served with the sections whose samples they open")
    func opened() throws {
        try store(section([("cbcs", Self.picture)]))
        try store(section([("cenc", Self.sound)]), 1)
        let own = try served([given("a", Self.sound), given("b", Self.picture)]).ofSections
        #expect(own.mapValues(\.uri) == [0: "../keys/b.key", 1: "../keys/a.key"])
        #expect(own.mapValues(\.method) == [0: .sampleAES, 1: .sampleAESCTR])
        #expect(own.mapValues(\.keyFormat) == [0: "identity", 1: "identity"])
    }

    @Test("are those of the first track with a key; a section without one has none")
    func tracks() throws {
        try store(section([("cenc", Self.picture), ("cbcs", Self.sound)]))
        try store(section([("cenc", Self.picture)]), 1)
        let both = try served([given("a", Self.sound), given("b", Self.picture)]).ofSections
        #expect(both.mapValues(\.uri) == [0: "../keys/b.key", 1: "../keys/b.key"])
        let one = try served([given("a", Self.sound)]).ofSections
        #expect(one.mapValues(\.uri) == [0: "../keys/a.key"])
        #expect(one[0]?.method == .sampleAES)
    }

    @Test("are not served before they are there, and not if a playlist or the asset names them")
    func others() throws {
        try store(section([("cbcs", Self.picture)]))
        let fetched = KeyRecord(id: "f", url: "https://o.test/k.key", sealed: Self.sealed)
        let byName = KeyRecord(
            id: "kid of the track", url: "https://o.test/n.key", sealed: Self.sealed,
            identifier: Self.picture)
        let lists = [[], [fetched], [given("m", Self.picture, isThere: false)], [byName]]
        for records in lists + [lists.flatMap(\.self)] {
            #expect(try served(records).ofSections.isEmpty)
        }
    }

    @Test("have the data of their identifiers in their names for players of Clear Key")
    func clearKey() throws {
        try store(section([("cbcs", Self.picture)]))
        try store(section([("cenc", Self.sound)]), 1)
        var view = LiveView()
        view.isForClearKey = true
        let unknown = try served([given("b", Self.picture)], view)
        #expect(unknown.ofSections.isEmpty && unknown.prefersSections)
        view.identifiers = [Self.picture]
        let known = try served([], view).ofSections
        let key = try #require(known[0])
        #expect(known.count == 1)
        #expect(key.uri == "data:text/plain;base64,a2lkIG9mIHRoZSB0cmFjaw==" && key.method == .sampleAES)
        #expect(key.keyFormat == "org.w3.clearkey" && key.keyFormatVersions == "1")
        view.identifiers = [Self.picture, Self.sound]
        #expect(try served([], view).ofSections[1]?.method == .sampleAESCTR)
    }

    @Test("are not named at all for media in the clear")
    func clear() throws {
        try store(section([("cbcs", Self.picture)]))
        let records = [given("b", Self.picture)]
        let clear = try served(records, LiveView(isClear: true))
        #expect(clear.ofSections.isEmpty && clear.served([], folder: "../keys", section: 0).isEmpty)
        let plain = try served(records)
        #expect(plain.served([], folder: "../keys", section: 0).map(\.uri) == ["../keys/b.key"])
        #expect(!plain.prefersSections)
    }

    @Test("are needed if a stored section has an encrypted track")
    func encrypted() throws {
        let playlist = try playlist()
        #expect(!keys.isEncrypted("video", playlist))
        try store(ProtectedMovie.initialization([[SampleMedia.avcEntry()]]))
        #expect(!keys.isEncrypted("video", playlist))
        try store(section([("unknown scheme", Self.picture)]))
        #expect(!keys.isEncrypted("video", playlist))
        try store(section([("cbcs", Self.picture)]), 1)
        #expect(keys.isEncrypted("video", playlist) && !keys.isEncrypted("sound", playlist))
    }

    @Test("have the identifiers of all stored sections; zeros are none")
    func identifiers() throws {
        #expect(keys.identifiers.isEmpty)
        try store(section([("cbcs", Self.picture), ("cbcs", [UInt8](repeating: 0, count: 16))]))
        try store(section([("cenc", Self.sound)]), 7, "sound")
        let other = section([("cenc", OriginResource.pattern(16, seed: 92))])
        try folder.write(other, to: "assets/\(token)/video/init-1.mp4.part")
        try folder.write(other, to: "assets/\(token)/video/0.mp4")
        #expect(keys.identifiers == [Self.picture, Self.sound])
    }
}
