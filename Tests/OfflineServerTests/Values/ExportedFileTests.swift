import ArgumentParser
import SystemPackage
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServerCommands

@Suite("The file of an export")
struct ExportedFileTests {
    @Test(
        "has the kind that its name says, in capital letters, too",
        arguments: [
            ("film.mp4", "video.mp4"), ("film.M4V", "video.mp4"), ("a/film.m4a", "audio.m4a"),
            ("film.TS", "video.ts"), ("film.mkv", "video.mp4"), ("film", nil), ("film.webm", nil),
            ("mp4", nil),
        ] as [(String, String?)])
    func kinds(_ name: String, _ source: String?) {
        #expect(FileExport.source(for: FilePath(name)) == source)
    }

    @Test("can be split or hold subtitles only if its kind can")
    func abilities() {
        let names: [FilePath] = ["a.mp4", "a.M4V", "a.m4a", "a.TS", "a.MKV", "a.webm", "a"]
        #expect(names.filter(FileExport.hasParts) == ["a.mp4", "a.M4V", "a.m4a", "a.TS"])
        #expect(names.filter(FileExport.hasText) == ["a.mp4", "a.M4V", "a.MKV"])
        #expect(names.filter(FileExport.isOther) == ["a.webm"])
    }

    @Test("has an address with the tracks that are wanted, and no query without any")
    func queries() throws {
        let options = try FileOptions.parse([
            "--video", "v-1", "--audio", "de,en", "--subtitles", "a b&c", "--skip-gaps", "--parts", "--force",
        ]).options
        #expect(options.skipsGaps && options.isInParts && options.replaces)
        #expect(options.query() == "?video=v-1&audio=de,en&subtitles=a%20b%26c&gaps=skip")
        #expect(
            options.query(subtitles: "none", part: 2)
                == "?video=v-1&audio=de,en&subtitles=none&gaps=skip&part=2")
        let usual = try FileOptions.parse([]).options
        #expect(usual == FileExport.Options() && usual.query() == "" && usual.query(part: 1) == "?part=1")
        #expect(!usual.skipsGaps && !usual.isInParts && !usual.replaces)
    }

    @Test("is reported with its path and size, and several of them as a list")
    func reports() throws {
        let folder = try TemporaryDirectory()
        let paths = [FilePath(try folder.write([1, 2], to: "1.mp4")), FilePath(folder.file("none.mp4"))]
        let one = FileExport.Written(paths: [paths[0]], incomplete: ["text"])
        let object = Outcome.object(one.json.text)
        #expect(object["path"] as? String == paths[0].string && object["size"] as? Int == 2)
        #expect(object["left_out"] as? [String] == ["text"] && object["files"] == nil)
        let both = Outcome.object(FileExport.Written(paths: paths).json.text)
        let files = both["files"] as? [[String: Any]]
        #expect(files?.map { $0["size"] as? Int } == [2, 0] && both["path"] == nil)
        #expect(both["left_out"] as? [String] == [])
    }

    @Test("needs a folder that is there; a name alone is in the current one")
    func folders() throws {
        let folder = try TemporaryDirectory()
        try FileExport.checkFolder(of: "film.mp4")
        try FileExport.checkFolder(of: FilePath(folder.file("film.mp4")))
        let failure = #expect(throws: CommandFailure.self) {
            try FileExport.checkFolder(of: FilePath(folder.file("none/film.mp4")))
        }
        #expect(failure?.status == CommandFailure.usage)
        #expect(failure?.message?.hasSuffix("/none for film.mp4; make it first") == true)
    }
}
