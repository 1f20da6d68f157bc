import AssetStore
import StoreTestSupport
import SystemPackage
import TestSupport

@testable import AssetFiles

/// A store with a stream that ffmpeg has made.
struct FilmFixture {
    let store: OfflineStore
    let token: AssetToken
    /// The playlist that was imported.
    let source: String

    /// Imports a stream into a store that is stopped at the end; `change` may change the files before.
    static func run(
        _ stream: EncodedStream, change: (TemporaryDirectory) throws -> Void = { _ in },
        _ body: (FilmFixture) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let source = try stream.write(to: folder)
        try change(folder)
        try await StoreFixture.run { fixture async throws in
            let token = try await fixture.store.imports.add(FilePath(source), name: "film").token
            try await body(FilmFixture(store: fixture.store, token: token, source: source))
        }
    }

    /// The segments of a rendition whose samples are indexed.
    func indexedSegments(of name: String) throws -> Int {
        guard let row = try row(name) else { return 0 }
        let revision = try IndexedRendition.revision(of: row, token, store)
        return try store.catalog.sampleIndexes.all(ofRendition: row.id, revision: revision).count
    }

    func row(_ name: String = "video") throws -> RenditionRecord? {
        try store.catalog.renditions.rendition(token, name)
    }

    /// All bytes of a file, read in pieces.
    func bytes(_ file: AssetFile, from start: UInt64 = 0, by count: Int = 50_000) throws -> [UInt8] {
        let reader = AssetFileReader(file, in: store)
        var bytes: [UInt8] = []
        while true {
            let offset = start + UInt64(bytes.count)
            if reader.ready(at: offset, count: count) == nil { try reader.load(at: offset) }
            guard let piece = try reader.ready(at: offset, count: count)?.read(), !piece.isEmpty else {
                return bytes
            }
            bytes += piece
        }
    }

    /// Decodes a file.
    func decoded(_ file: AssetFile) async throws -> DecodedFilm {
        let folder = try TemporaryDirectory()
        return try await DecodedFilm.read(
            folder.write(bytes(file), to: "film.\(file.choice.format.rawValue)"))
    }
}

/// The error of a throwing call, in words.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)".replacing("AssetFiles.", with: "")
    }
}
