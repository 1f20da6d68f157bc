import Foundation
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("Files and folders")
struct FileSystemTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(folder.file(name)) }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name).string, withDestinationPath: target)
    }

    private func made(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws -> FilePath {
        FilePath(try folder.write(bytes, to: name))
    }

    @Test("have the size and kind of the link itself, not of its target")
    func facts() throws {
        let file = try made("file")
        #expect(FileSystem.facts(file) == FileSystem.FileFacts(size: 3, isRegular: true))
        #expect(FileSystem.facts(path("none")) == nil && FileSystem.facts(path(""))?.isRegular == false)
        try link("link", to: file.string)
        #expect(FileSystem.facts(path("link"))?.isRegular == false)
        #expect(try FileSystem.size(ofFile: file) == 3)
        #expect(try FileSystem.size(ofFile: path("none")) == nil)
        #expect(try FileSystem.size(ofFile: path("link")) == nil)
        let loop = path("loop")
        try link("loop", to: loop.string)
        #expect(throws: StoreError.self) { try FileSystem.size(ofFile: loop.appending("x")) }
    }

    @Test("have an age and a size where they are regular, and no others have")
    func ages() throws {
        let age = try #require(FileSystem.age(ofFile: try made("file")))
        #expect(age.size == 3 && age.written > 1_700_000_000)
        try link("link", to: path("file").string)
        for name in ["none", "link", ""] { #expect(FileSystem.age(ofFile: path(name)) == nil) }
    }

    @Test("are absent only when nothing is there, not even a link")
    func absence() throws {
        let file = try made("file")
        #expect(!FileSystem.isAbsent(file) && FileSystem.isThere(file) && !FileSystem.isDirectory(file))
        #expect(FileSystem.isAbsent(path("none")) && !FileSystem.isThere(path("none")))
        #expect(FileSystem.isAbsent(file.appending("inside")))
        try link("link", to: "nowhere")
        #expect(!FileSystem.isAbsent(path("link")) && !FileSystem.isThere(path("link")))
        let loop = path("loop")
        try link("loop", to: loop.string)
        #expect(!FileSystem.isAbsent(loop.appending("x")))
        #expect(
            FileSystem.obstacle(to: loop) == Errno.tooManySymbolicLinkLevels.rawValue
                && FileSystem.obstacle(to: path("none")) == nil)
        #expect(FileSystem.obstacle(to: file) == nil && FileSystem.obstacle(to: file.appending("x")) == nil)
    }

    @Test("are open to others when their group or everybody may read them")
    func exposure() throws {
        let file = try made("file")
        for (mode, isOpen) in [(0o600, false), (0o640, true), (0o604, true), (0o622, false)]
            as [(Int, Bool)]
        {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.string)
            #expect(FileSystem.isOpenToOthers(file) == isOpen)
        }
        #expect(!FileSystem.isOpenToOthers(path("none")))
    }

    @Test("folders are made with those above them, and stay when they are there")
    func folders() throws {
        let inner = path("a/b/c")
        try FileSystem.makeDirectory(inner)
        try FileSystem.makeDirectory(inner)
        #expect(
            FileSystem.isDirectory(inner) && FileSystem.isWritable(inner)
                && FileSystem.isReadable(folder: inner))
        let file = try made("file")
        let error = #expect(throws: StoreError.self) { try FileSystem.makeDirectory(file) }
        #expect(error?.text.contains("makeDirectory") == true)
        #expect(throws: StoreError.self) { try FileSystem.makeDirectory(file.appending("inside")) }
        try link("link", to: inner.string)
        try FileSystem.makeDirectory(path("link"))
        #expect(throws: StoreError.self) { try FileSystem.makeDirectory("") }
    }

    @Test("have their real paths told, and their times of change")
    func names() throws {
        try FileSystem.makeDirectory(path("a"))
        try link("link", to: path("a").string)
        #expect(FileSystem.realPath(path("link")) == FileSystem.realPath(path("a")))
        #expect(FileSystem.realPath(path("none")) == nil && FileSystem.folderTime(path("none")) == nil)
        let before = try #require(FileSystem.folderTime(path("a")))
        #expect(before.nanoseconds > 1_700_000_000_000_000_000)
        _ = try made("a/file")
        _ = try made("a/other")
        #expect(FileSystem.names(in: path("a")).sorted() == ["file", "other"])
        #expect(FileSystem.names(in: path("none")) == [])
        #expect(throws: StoreError.self) { try FileSystem.contents(of: path("none")) }
    }

    @Test("are made empty for their owner, and stay as they are when they are there")
    func making() throws {
        try FileSystem.makeFile(path("new"))
        #expect(FileSystem.facts(path("new")) == FileSystem.FileFacts(size: 0, isRegular: true))
        #expect(!FileSystem.isOpenToOthers(path("new")))
        let file = try made("file")
        try FileSystem.makeFile(file)
        #expect(try FileSystem.size(ofFile: file) == 3)
        #expect(throws: StoreError.self) { try FileSystem.makeFile(path("none/file")) }
        #expect(FileSystem.refusal(of: file, forFolder: false) == nil)
        #expect(FileSystem.refusal(of: path("none"), forFolder: false) == .noSuchFileOrDirectory)
        #expect(!FileSystem.isAtFileLimit)
    }

    @Test("get a second name unless it is taken, and deleting a missing one is no error")
    func linking() throws {
        let (file, other) = (try made("file"), try made("other", [9]))
        #expect(try FileSystem.link(file, to: path("second")))
        #expect(try FileSystem.size(ofFile: path("second")) == 3)
        #expect(try FileSystem.link(file, to: other))
        #expect(try FileSystem.size(ofFile: other) == 1)
        #expect(throws: StoreError.self) { try FileSystem.link(path("none"), to: path("third")) }
        #expect(throws: StoreError.self) { try FileSystem.rename(path("none"), to: path("third")) }
        try FileSystem.unlink(file)
        try FileSystem.unlink(file)
        #expect(FileSystem.isAbsent(file))
        #expect(throws: StoreError.self) { try FileSystem.unlink(path("")) }
        try FileSystem.syncFile(other)
        try FileSystem.syncDirectory(path(""))
        #expect(throws: StoreError.self) { try FileSystem.syncFile(path("none")) }
        #expect(throws: StoreError.self) { try FileSystem.syncDirectory(other) }
    }

    @Test("of a folder are counted and deleted with it, and links are not followed")
    func trees() throws {
        try FileSystem.makeDirectory(path("tree/inner"))
        _ = try made("tree/a", [UInt8](repeating: 0, count: 1000))
        _ = try made("tree/inner/b", [UInt8](repeating: 0, count: 500))
        let outside = try made("outside")
        #expect(FileSystem.treeSize(path("tree")) == 1500 && FileSystem.treeSize(path("none")) == 0)
        try link("tree/link", to: folder.file(""))
        try FileSystem.removeTree(path("tree"))
        #expect(FileSystem.isAbsent(path("tree")) && FileSystem.isThere(outside))
        try FileSystem.removeTree(path("tree"))
        try FileSystem.removeTree(outside.appending("inside"))
        try FileSystem.removeTree(outside)
        #expect(FileSystem.isAbsent(outside))
    }

    @Test("have room kept for them as far as there is some")
    func room() throws {
        let file = try made("file")
        let space = try #require(FileSystem.space(at: file))
        #expect(space.free > 0 && space.free <= space.total)
        #expect(FileSystem.freeSpace(at: path("none")) == nil && FileSystem.space(at: path("none")) == nil)
        #expect(FileSystem.keepRoom(for: file, 4096))
        #expect(try FileSystem.size(ofFile: file) == 3)
        #expect(!FileSystem.keepRoom(for: file, Int(min(space.total, 1 << 60)) + (1 << 40)))
        #expect(FileSystem.keepRoom(for: path("none"), 4096))
        // Space for nothing is an invalid wish, and lacks nowhere.
        #expect(FileSystem.keepRoom(for: file, 0))
    }

    @Test("held open tell the sizes of regular files by their names")
    func openFolder() throws {
        _ = try made("file")
        try link("link", to: "file")
        let open = try #require(try OpenFolder(path("")))
        #expect(try open.size(ofFile: "file") == 3 && open.size(ofFile: "none") == nil)
        #expect(try open.size(ofFile: "link") == nil && open.size(ofFile: ".") == nil)
        #expect(try OpenFolder(path("none")) == nil && OpenFolder(path("file")) == nil)
        let loop = path("loop")
        try link("loop", to: loop.string)
        #expect(throws: StoreError.self) { try OpenFolder(loop) }
    }

    @Test("are written durably, whole or not at all, and read up to a limit")
    func durable() throws {
        let file = path("file")
        try DurableWrite.write([1, 2], to: file)
        #expect(!FileSystem.isOpenToOthers(file))
        try DurableWrite.write([3], to: file)
        try DurableWrite.create([9], at: file)
        #expect(try DurableWrite.read(file) == [3])
        #expect(try DurableWrite.read(path("none")) == nil)
        try DurableWrite.create([7, 8], at: path("new"))
        #expect(try DurableWrite.read(path("new"), limit: 2) == [7, 8])
        #expect(throws: StoreError.self) { try DurableWrite.read(path("new"), limit: 1) }
        #expect(throws: StoreError.self) { try DurableWrite.write([1], to: path("none/file")) }
        #expect(FileSystem.names(in: path("")).sorted() == ["file", "new"])
    }

    @Test("are read in pieces and ranges, opened, and copied where nothing is yet")
    func pieces() throws {
        let bytes = OriginResource.pattern(FilePieces.size + 5)
        let file = try made("file", bytes)
        var read: [UInt8] = []
        var counts: [Int] = []
        try FilePieces.read(file) { piece throws(StoreError) in
            counts.append(piece.byteCount)
            read += unsafe piece.withUnsafeBytes { unsafe Array($0) }
        }
        #expect(counts == [FilePieces.size, 5] && read == bytes)
        let range = ClosedOffsetRange(offset: UInt64(FilePieces.size - 2), length: 4)
        #expect(
            try FilePieces.bytes(file, range) == Array(bytes[(FilePieces.size - 2)..<(FilePieces.size + 2)]))
        let end = ClosedOffsetRange(offset: UInt64(bytes.count - 1), length: 9)
        #expect(try FilePieces.bytes(file, end) == [bytes[bytes.count - 1]])
        try FilePieces.copy(file, to: path("copy"))
        #expect(try DurableWrite.read(path("copy")) == bytes)
        #expect(throws: StoreError.self) { try FilePieces.copy(file, to: path("copy")) }
        let open = try OpenedFile(file)
        #expect(open.size == bytes.count)
        #expect(
            try open.bytes(at: 3, count: 2) == Array(bytes[3..<5])
                && open.bytes(at: open.size, count: 2) == [])
        #expect(throws: StoreError.self) { try OpenedFile(path("")) }
        try link("link", to: file.string)
        #expect(throws: StoreError.self) { try OpenedFile(path("link")) }
        read = []
        try FilePieces.read(path("link")) { piece throws(StoreError) in
            read += unsafe piece.withUnsafeBytes { unsafe Array($0) }
        }
        #expect(read == bytes)
        #expect(throws: StoreError.self) { try FilePieces.bytes(path("link"), range) }
        #expect(throws: StoreError.self) { try FilePieces.sha256(of: path("link")) }
        #expect(throws: StoreError.self) { try FilePieces.copy(path("link"), to: path("second")) }
    }

    @Test("of a playlist are whole with the end tag, and are not without it or without a file")
    func wholePlaylist() throws {
        let whole = Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8)
        for (name, bytes, isWhole) in [
            ("whole.m3u8", whole, true), ("cut.m3u8", whole.dropLast(3), false),
            ("end.m3u8", ServedMediaPlaylist.end, false), ("empty.m3u8", [], false),
        ] {
            let file = try made(name, bytes)
            #expect(ServedMediaPlaylist.isWhole(file) == isWhole, "\(name)")
            #expect(try ServedMediaPlaylist.goesToEnd(file) == isWhole, "\(name)")
        }
        #expect(try !ServedMediaPlaylist.goesToEnd(path("none")))
        #expect(!ServedMediaPlaylist.isWhole(path("none")))
    }

    @Test("of a poster have the type of its picture; what browsers do not show is none")
    func poster() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]
        #expect(Artwork(poster: png)?.fileName == "poster.png")
        #expect(Artwork(poster: Array("<html>".utf8)) == nil && Artwork(poster: []) == nil)
    }

    @Test("can't be made in a file system that refuses them")
    func unmade() throws {
        let error = #expect(throws: StoreError.self) {
            try FileSystem.makeDirectory(FilePath("/proc/none/folder"))
        }
        #expect(error != nil)
    }
}
