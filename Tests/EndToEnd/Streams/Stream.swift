import Foundation
import TestSupport

/// A stream on disk, as an origin has it, with the facts of its frames.
struct Stream: Sendable {
    /// The folder that the origin serves.
    let folder: URL
    /// The playlist that a user downloads, relative to `folder`.
    var entry = "index.m3u8"
    /// The checksum of each frame of the source.
    let video: [String]
    /// The checksum of each piece of sound of the source.
    let audio: [String]
    /// Keeps a made folder until the last use.
    var owner: TemporaryDirectory?

    /// The whole seconds that a player shows: 25 frames each.
    var seconds: Int { video.count / 25 }

    /// Makes a stream of `shape`; the same one for every test of the run.
    static func of(_ shape: Shape) async throws -> Stream {
        try await StreamCache.shared.stream(shape)
    }
}

/// Makes each stream once a run.
private actor StreamCache {
    static let shared = StreamCache()
    private var made: [Shape: Task<Stream, any Error>] = [:]

    func stream(_ shape: Shape) async throws -> Stream {
        let task = made[shape] ?? Task { try await StreamMaker.make(shape) }
        made[shape] = task
        return try await task.value
    }
}
