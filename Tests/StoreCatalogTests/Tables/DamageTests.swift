import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The files that rows call stored")
struct DamageTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        id = try fixture.rendition(of: token, segments: 4)
        try fixture.store([0, 1, 2], of: id)
    }

    private func write(_ count: Int, _ name: String) throws {
        try fixture.folder.write([UInt8](repeating: 7, count: count), to: "assets/\(token)/video/\(name)")
    }

    private func find(among names: Set<String>? = nil) throws -> Damage.Finding {
        let paths = StorePaths(root: FilePath(fixture.folder.path))
        return try Damage(catalog: fixture.catalog, paths: paths, token: token).find(
            in: "video", among: names)
    }

    private func row(_ number: Int, _ finding: UnitFinding) -> AbsentRow {
        AbsentRow(rendition: id, kind: .segment, number: number, finding: finding)
    }

    @Test("are gone, or damaged by another size; of files that are named, by other bytes, too")
    func finding() throws {
        try write(100, "0.m4s")
        try write(99, "1.m4s")
        let found = try find()
        #expect(found.absent == [row(1, .damaged), row(2, .gone)])
        #expect(found.playlists == 1 && found.unread.isEmpty)
        let named = try find(among: ["0.m4s", "2.m4s", "3.m4s"])
        #expect(named.absent == [row(0, .damaged), row(2, .gone)] && named.playlists == 0)
    }

    @Test("have a playlist beside them that goes to its end")
    func playlists() throws {
        let end = String(decoding: ServedMediaPlaylist.end, as: UTF8.self)
        for (text, count) in [("#EXTM3U\n", 1), ("#EXTM3U\n\(end)", 0)] {
            try fixture.folder.write(Array(text.utf8), to: "assets/\(token)/video/media.m3u8")
            #expect(try find(among: ["media.m3u8"]).playlists == count && find(among: []).playlists == 0)
        }
    }
}
