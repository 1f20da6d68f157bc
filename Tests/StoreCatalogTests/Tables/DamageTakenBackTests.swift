import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Files of units that were found missing or damaged")
struct DamageTakenBackTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        id = try fixture.rendition(of: token)
        var stored: [StoredUnit] = []
        for number in 0..<2 {
            let path = try write(Self.bytes(number), number)
            stored.append(
                StoredUnit(
                    rendition: id, kind: .segment, number: number, size: 100,
                    sha256: try FilePieces.sha256(of: path)))
        }
        try fixture.catalog.units.markStored(stored)
    }

    /// The bytes of a segment as it was stored.
    private static func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 100) }

    @discardableResult
    private func write(_ bytes: [UInt8], _ number: Int, in rendition: String = "video") throws -> FilePath {
        FilePath(try fixture.folder.write(bytes, to: "assets/\(token)/\(rendition)/\(number).m4s"))
    }

    private var paths: StorePaths { StorePaths(root: FilePath(fixture.folder.path)) }
    private var damage: Damage { Damage(catalog: fixture.catalog, paths: paths, token: token) }

    private func noteAllDamaged() throws {
        let rows = (0..<2).map {
            AbsentRow(rendition: id, kind: .segment, number: $0, finding: .damaged)
        }
        try fixture.catalog.units.noteDamage(
            to: token, rows, reason: Damage.reason(rows.count), at: moment(1))
    }

    private func stored() throws -> [Int] {
        try fixture.catalog.units.storedNumbers(ofRendition: id).sorted()
    }

    /// Does something while nobody can get at what is in the rendition's folder.
    private func whileUnreachable(_ body: () throws -> Void) throws {
        let folder = paths.rendition(token, "video")
        let elsewhere = paths.asset(token).appending("elsewhere")
        try FileSystem.rename(folder, to: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: folder.string, withDestinationPath: folder.string)
        try body()
        try FileSystem.unlink(folder)
        try FileSystem.rename(elsewhere, to: folder)
    }

    @Test("are stored again when someone has put them back as they were")
    func unchanged() throws {
        try noteAllDamaged()
        #expect(try stored() == [])
        #expect(try damage.takeBack(at: moment(2)).sorted() == ["video/0.m4s", "video/1.m4s"])
        let row = try #require(try fixture.row(token))
        #expect(try stored() == [0, 1] && row.storedSegments == 2 && row.storedBytes == 200)
        #expect(row.folderTime == FileSystem.folderTime(paths.rendition(token, "video")))
        #expect(
            try fixture.events(of: token)
                == ["damaged 2 files are gone or changed", "health damaged", "health sound"])
        #expect(try damage.takeBack(at: moment(3)) == [])
    }

    @Test("stay damaged with other bytes of the same length, or with another length")
    func changed() throws {
        try noteAllDamaged()
        try write([UInt8](repeating: 9, count: 100), 0)
        try write([UInt8](repeating: 1, count: 99), 1)
        #expect(try damage.takeBack(at: moment(2)) == [])
        #expect(try damage.takeBack(among: ["0.m4s", "1.m4s"], at: moment(2)) == [])
        #expect(try stored() == [] && fixture.events(of: token).last == "health damaged")
    }

    @Test("are looked at where that was asked for, and nowhere else")
    func named() throws {
        try noteAllDamaged()
        #expect(try damage.takeBack(in: "sound", at: moment(2)) == [])
        #expect(try damage.takeBack(among: [], at: moment(2)) == [])
        #expect(try damage.takeBack(among: ["1.m4s", "2.m4s"], at: moment(2)) == ["video/1.m4s"])
        #expect(try stored() == [1])
        #expect(try damage.takeBack(in: "video", at: moment(2)) == ["video/0.m4s"])
    }

    @Test("stay damaged while they can't be read, and are not called gone then")
    func unreadable() throws {
        try whileUnreachable {
            let found = try damage.find(in: "video", among: nil)
            #expect(found.absent == [] && found.playlists == 0)
            #expect(found.unread == ["0.m4s", "1.m4s", "media.m3u8"])
        }
        try noteAllDamaged()
        try whileUnreachable {
            let found = try damage.takeBack(at: moment(2))
            #expect(found == [])
        }
        #expect(try stored() == [])
        #expect(try damage.takeBack(at: moment(3)).count == 2)
    }

    @Test("are not taken for units that were never stored")
    func neverStored() throws {
        let sound = try fixture.rendition("sound", of: token, .audio) { $0.position = 1 }
        try write(Self.bytes(0), 0, in: "sound")
        try fixture.catalog.units.markAbsent([
            AbsentRow(rendition: sound, kind: .segment, number: 0, finding: .gone)
        ])
        #expect(try damage.takeBack(at: moment(2)) == [])
        #expect(try fixture.row(token, "sound")?.storedSegments == 0)
    }

    @Test("prove nothing in the folder of a node, which is a cache")
    func node() throws {
        try noteAllDamaged()
        var cache = paths
        cache.isOfNode = true
        let damage = Damage(catalog: fixture.catalog, paths: cache, token: token)
        #expect(try damage.takeBack(at: moment(2)) == [])
        #expect(try stored() == [])
    }

    @Test("are no loss when their units lie in a bucket")
    func bucket() throws {
        let sound = try fixture.rendition("sound", of: token, .audio) { $0.position = 1 }
        var unit = StoredUnit(rendition: sound, kind: .segment, number: 0, size: 100, sha256: [1])
        unit.object = "o"
        let other = StoredUnit(rendition: sound, kind: .segment, number: 1, size: 100, sha256: [1])
        try fixture.catalog.units.markStored([unit, other])
        let found = try damage.find(in: "sound", among: nil)
        #expect(
            found.absent == [AbsentRow(rendition: sound, kind: .segment, number: 1, finding: .gone)])
    }

    @Test("are none in a rendition that is not there")
    func noRendition() throws {
        let found = try damage.find(in: "none", among: nil)
        #expect(found.absent == [] && found.playlists == 0 && found.unread == [])
    }

    @Test(
        "are told of by their number",
        arguments: [(1, "1 file is gone or changed"), (2, "2 files are gone or changed")])
    func reason(_ count: Int, _ text: String) {
        #expect(Damage.reason(count) == text)
    }
}
