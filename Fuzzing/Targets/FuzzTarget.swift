/// Something that reads bytes from outside, with what must hold whatever the bytes are.
public struct FuzzTarget: Sendable {
    /// Its name, and that of its file in `Fuzzing/corpus`.
    public let name: String
    /// Bytes that mean something here, for inputs made without a coverage-guided engine.
    public let tokens: [String]
    private let check: @Sendable ([UInt8]) throws(Finding) -> Void

    init(_ name: String, tokens: [String], check: @escaping @Sendable ([UInt8]) throws(Finding) -> Void) {
        self.name = name
        self.tokens = tokens
        self.check = check
    }

    /// Reads `bytes`; a crash is a finding too.
    ///
    /// - Throws: `Finding` when something that must hold does not.
    public func run(_ bytes: [UInt8]) throws(Finding) { try check(bytes) }

    /// All targets.
    public static let all: [FuzzTarget] = [
        playlists, live, serving, answers, subtitles, subtitleFormats, layouts, encryptedMedia,
        mediaLooks, mediaSamples, requests, access, program,
    ].flatMap { $0 }
}

/// A property that does not hold.
public struct Finding: Error, CustomStringConvertible {
    /// What should have been.
    public let description: String

    static func expect(_ holds: Bool, _ description: @autoclosure () -> String) throws(Finding) {
        guard holds else { throw Finding(description: description()) }
    }
}
