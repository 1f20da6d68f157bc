import ArgumentParser
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServerCommands
@testable import Transfers

@Suite("The unfinished file of an export")
struct PartFileTests {
    private let folder: TemporaryDirectory
    private let quiet: GlobalOptions

    init() throws {
        folder = try TemporaryDirectory()
        quiet = try GlobalOptions.parse(["--quiet"])
    }

    /// A file of five bytes, opened.
    private func part(_ name: String, length: UInt64) throws -> PartFile {
        try folder.write([1, 2, 3, 4, 5], to: name)
        return try PartFile(FilePath(folder.file(name)), length: length, global: quiet)
    }

    private func accepts(_ part: PartFile, _ status: Int) -> Bool {
        let response = TransferResponse(
            status: status, version: .http1Dot1, headerFields: [:], finalURL: "", lengthIsKnown: true)
        if case .accept = part.begin(response) { return true }
        return false
    }

    @Test("is whole at its length, goes on below it, and begins again above it")
    func length() throws {
        let whole = try part("whole", length: 5)
        #expect(whole.written == 5)
        try whole.end()
        let begun = try part("begun", length: 6)
        #expect(begun.written == 5)
        #expect(throws: CommandFailure.self) { try begun.end() }
        let long = try part("long", length: 4)
        let left = try folder.read("long")
        #expect(long.written == 0 && left.isEmpty)
        #expect(throws: CommandFailure.self) { try long.end() }
    }

    @Test("takes a range after its bytes, and a whole answer in their place")
    func answers() throws {
        let part = try part("a", length: 6)
        #expect(!accepts(part, 404) && part.written == 5)
        #expect(accepts(part, 206) && part.written == 5)
        try unsafe part.receive([UInt8(6)].span.bytes)
        try part.end()
        let whole = try folder.read("a")
        #expect(part.written == 6 && whole == [1, 2, 3, 4, 5, 6])
        #expect(accepts(part, 200) && part.written == 0)
        try unsafe part.receive([UInt8(7)].span.bytes)
        let fresh = try folder.read("a")
        #expect(part.written == 1 && fresh == [7])
    }

    @Test("is one command's alone, until that has ended")
    func alone() throws {
        let path = FilePath(folder.file("a"))
        let first = try part("a", length: 5)
        withExtendedLifetime(first) {
            let failure = #expect(throws: CommandFailure.self) {
                try PartFile(path, length: 5, global: quiet)
            }
            #expect(failure?.message?.hasPrefix("another command is writing this file now") == true)
        }
    }

    @Test("beside another one is empty, whatever an earlier command has left")
    func beside() throws {
        try folder.write([1, 2, 3], to: "film.mkv.part")
        let movie = FilePath(folder.file("film.mp4"))
        let output = try PartFile(beside: movie, as: "mkv.part", length: 5, global: quiet)
        #expect(output.path == FilePath(folder.file("film.mkv.part")) && output.written == 0)
    }
}
