extension PlaylistError: CustomStringConvertible {
    /// One sentence for a person, such as `line 7: the duration is not a number of seconds: #EXTINF:x`.
    public var description: String {
        let place = line > 0 ? "line \(line): " : ""
        let text = excerpt.isEmpty || code == .webPage ? "" : ": \(excerpt)"
        return place + code.sentence + text
    }
}

extension PlaylistError.Code {
    var sentence: String {
        switch self {
        case .empty: "the playlist is empty"
        case .notAPlaylist: "the text does not begin with #EXTM3U"
        case .webPage: "the answer is a web page, not a playlist"
        case .mixedKinds: "the playlist mixes media and multivariant tags"
        case .controlCharacter: "the line has a NUL character"
        case .badDuration: "the duration is not a number of seconds"
        case .badByteRange: "the byte range cannot be read"
        case .badInteger: "the number is not an integer in range"
        case .badAttributeList: "the attribute list cannot be read"
        case .missingAttribute(let name): "the attribute \(name) is missing"
        case .missingURI: "the tag is not followed by a URI"
        case .missingDuration: "no URI has a duration (EXTINF)"
        case .undefinedVariable(let name): "the variable \(name) is not defined"
        case .duplicateVariable(let name): "the variable \(name) is defined twice"
        case .overLimit(let limit): limit.sentence
        }
    }
}

extension PlaylistError.Limit {
    var sentence: String {
        switch self {
        case .bytes(let most): "the playlist has more than \(most) bytes"
        case .lineLength(let most): "the line has more than \(most) bytes"
        case .segments(let most): "the playlist has more than \(most) segments"
        case .streams(let most): "the playlist has more than \(most) variants and renditions"
        case .attributes: "the playlist has too many attributes"
        case .otherTags(let most): "the playlist has more than \(most) tags of other kinds"
        case .keyFormats(let most): "more than \(most) key formats apply at once"
        case .substitutedBytes: "the variables expand to too much text"
        }
    }
}
