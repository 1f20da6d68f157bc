/// The format of a file that has a whole asset.
package enum AssetFileFormat: String, Sendable, Hashable, CaseIterable {
    /// Pictures, sound and subtitles.
    case mp4
    /// Sound alone.
    case m4a
    /// A transport stream.
    case ts

    /// The name of the file below an asset's address.
    package var fileName: String {
        switch self {
        case .mp4: "video.mp4"
        case .m4a: "audio.m4a"
        case .ts: "video.ts"
        }
    }
}
