internal import ASCII

/// A playlist as JSON, for people and scripts.
///
/// A media playlist has `targetDuration`, `mediaSequence`, `discontinuitySequence`, `playlistType`, `endList` and
/// `segments`; a multivariant playlist has `variants` and `media`. Durations are seconds, URIs are as written with
/// variables replaced, and missing values are `null`.
public struct PlaylistReport: Sendable {
    /// The JSON text, in one line.
    public let json: String

    /// Describes a playlist.
    public init(_ playlist: Playlist) {
        var output = JSONOutput()
        switch playlist {
        case .media(let playlist): Self.write(playlist, to: &output)
        case .multivariant(let playlist): Self.write(playlist, to: &output)
        }
        json = String(decoding: output.bytes, as: UTF8.self)
    }

    /// Describes why a text is no playlist: `valid` is `false`, `error` the sentence, `line` the line.
    public init(_ error: PlaylistError) {
        var output = JSONOutput()
        output.object {
            $0.member("valid", false)
            $0.member("error", error.description)
            $0.member("line", error.line)
        }
        json = String(decoding: output.bytes, as: UTF8.self)
    }
}

extension JSONOutput {
    mutating func object(_ write: (inout JSONOutput) -> Void) {
        open("{")
        write(&self)
        close("}")
    }

    /// A string; `null` for none.
    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { value(text) } else { null() }
    }

    /// An integer; `null` for none.
    mutating func member(_ name: StaticString, _ number: Int?) {
        self.name(name)
        if let number { value(literal: "\(number)") } else { null() }
    }

    /// Writes a number; `null` for none, and for one that JSON can't express.
    mutating func member(_ name: StaticString, _ number: Double?) {
        self.name(name)
        if let number, number.isFinite { value(literal: "\(number)") } else { null() }
    }

    mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    /// An object; `null` for none.
    mutating func member<Value>(
        _ name: StaticString, _ value: Value?, write: (Value, inout JSONOutput) -> Void
    ) {
        self.name(name)
        if let value { write(value, &self) } else { null() }
    }
}
