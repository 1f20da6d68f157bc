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
        case .bytes: "the playlist is too large"
        case .lineLength: "the line is too long"
        case .segments: "the playlist has too many segments"
        case .streams: "the playlist has too many variants and renditions"
        case .attributes: "the playlist has too many attributes"
        case .otherTags: "the playlist has too many tags of other kinds"
        case .keyFormats: "too many key formats apply at once"
        case .substitutedBytes: "the variables expand to too much text"
        }
    }
}
