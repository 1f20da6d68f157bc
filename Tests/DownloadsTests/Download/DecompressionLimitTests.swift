import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import MediaDecryption
@testable import StoreFiles
@testable import StoreModel

@Suite("The compression of a unit that was not announced")
struct DecompressionLimitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8]) throws -> PartialFile {
        let file = try PartialFile(creating: FilePath(folder.file("0.part")))
        try unsafe file.append(bytes.span.bytes)
        return file
    }

    private func decompressed(_ file: PartialFile) throws -> FetchedUnit? {
        let unit = UnitRecord(kind: .segment, number: 0, start: 0, duration: 4, url: "http://o/s.ts")
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 4, segments: 1)
        return try UnitInspector(UnitJob(unit: unit, rendition: row)).decompressed(file)
    }

    /// The same packet again and again: its compressed bytes are less than a hundredth.
    private func quiet(_ packets: Int) -> [UInt8] {
        let packet = Media.ts(1)
        return (0..<packets).flatMap { _ in packet }
    }

    // 5577 packets have 1,048,476 bytes, 5578 have 1,048,664; a mebibyte is 1,048,576 bytes.
    @Test(
        "is taken off if the media are more than a hundred times larger, up to a mebibyte",
        arguments: [(5577, true), (5578, false)])
    func mebibyte(_ packets: Int, _ isTaken: Bool) throws {
        let media = quiet(packets)
        let bytes = SampleMedia.compressed(media, .gzip)
        try #require(!bytes.isEmpty && bytes.count * 100 < 1 << 20)
        let file = try file(bytes)
        let disguise = try decompressed(file)?.disguise
        #expect(disguise == (isTaken ? "gzip" : nil))
        let isAsExpected = try file.read(at: 0, count: 1 << 21) == (isTaken ? media : bytes)
        #expect(isAsExpected)
        #expect(FileSystem.isAbsent(FilePath(folder.file("0.part.new"))))
    }

    @Test("is taken off if the media are larger than a mebibyte, and at most a hundred times larger")
    func hundredth() throws {
        let media = Media.ts(100) + quiet(7900)
        let bytes = SampleMedia.compressed(media, .gzip)
        try #require(!bytes.isEmpty && bytes.count * 100 >= media.count && media.count > 1 << 20)
        let file = try file(bytes)
        let disguise = try decompressed(file)?.disguise
        #expect(disguise == "gzip")
        let isTheMedia = try file.read(at: 0, count: 1 << 21) == media
        #expect(isTheMedia)
    }
}
