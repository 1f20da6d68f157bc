/// A reader of bytes from outside, with properties that must hold for all bytes.
public struct FuzzTarget: Sendable {
    /// Its name, and that of its file in `Fuzzing/corpus`.
    public let name: String
    /// Meaningful byte strings, for inputs that are made without a coverage-guided engine.
    public let tokens: [String]
    private let check: @Sendable ([UInt8]) throws(Finding) -> Void

    init(_ name: String, tokens: [String], check: @escaping @Sendable ([UInt8]) throws(Finding) -> Void) {
        self.name = name
        self.tokens = tokens
        self.check = check
    }

    /// Reads `bytes`; a crash is a finding, too.
    ///
    /// - Throws: `Finding` if a property does not hold.
    public func run(_ bytes: [UInt8]) throws(Finding) { try check(bytes) }

    /// All targets.
    public static let all: [FuzzTarget] = [
        playlists, live, serving, answers, subtitles, subtitleFormats, layouts, encryptedMedia,
        mediaLooks, mediaSamples, transportFiles, requests, access, program,
    ].flatMap { $0 }
}

/// A property that does not hold.
public struct Finding: Error, CustomStringConvertible {
    /// The property that does not hold.
    public let description: String

    static func expect(_ holds: Bool, _ description: @autoclosure () -> String) throws(Finding) {
        guard holds else { throw Finding(description: description()) }
    }
}
