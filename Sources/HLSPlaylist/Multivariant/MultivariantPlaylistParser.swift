internal import ASCII

/// Reads a multivariant playlist, line by line.
struct MultivariantPlaylistParser: TagReader {
    let bytes: [UInt8]
    let limits: ParseLimits
    var scope: VariableScope
    var attributeBudget: Int
    private var playlist: MultivariantPlaylist
    /// An EXT-X-STREAM-INF whose URI has not come yet.
    private var pending: (attributes: AttributeList, line: Line)?
    private var entries = 0

    init(bytes: [UInt8], limits: ParseLimits, scope: VariableScope) {
        self.bytes = bytes
        self.limits = limits
        self.scope = scope
        attributeBudget = limits.attributes
        playlist = MultivariantPlaylist(serialized: bytes)
    }

    mutating func parse() throws(PlaylistError) -> MultivariantPlaylist {
        var scanner = LineScanner(bytes: bytes, limit: limits.lineLength)
        while let line = try scanner.next() {
            if bytes[line.start] != .hash {
                try readURI(line)
            } else if let found = Tag.find(in: bytes, line: line) {
                try read(found.tag, value: found.value, line)
            } else if bytes[line.start..<line.end].starts(with: [.hash, 0x45, 0x58, 0x54]) {
                try keep(line)
            }
        }
        if let pending { throw failure(.missingURI, pending.line) }
        playlist.variables = scope.values
        return playlist
    }

    private mutating func keep(_ line: Line) throws(PlaylistError) {
        guard playlist.otherTags.count < limits.streams else {
            throw failure(.overLimit(.otherTags(limits.streams)), line)
        }
        playlist.otherTags.append(String(decoding: bytes[line.start..<line.end], as: UTF8.self))
    }

    /// The URI of a variant; other URI lines are skipped, as players do.
    private mutating func readURI(_ line: Line) throws(PlaylistError) {
        guard let pending else { return }
        let text = String(uriBytes: bytes[line.start..<line.end])
        let uri = try scope.substitute(text, line: line.number)
        playlist.variants.append(
            VariantStream(uri: uri, attributes: pending.attributes, line: pending.line.number))
        self.pending = nil
    }

    private mutating func read(_ tag: Tag, value: Int, _ line: Line) throws(PlaylistError) {
        switch tag {
        case .streamInf:
            if let pending { throw failure(.missingURI, pending.line) }
            pending = (try entry(from: value, line), line)
        case .media: try readRendition(entry(from: value, line), line)
        case .iFrameStreamInf:
            let list = try entry(from: value, line)
            let stream = list["URI"].map { IFrameStream(uri: $0, attributes: list, line: line.number) }
            if let stream { playlist.iFrameStreams.append(stream) }
        case .imageStreamInf:
            let list = try entry(from: value, line)
            let stream = list["URI"].map { ImageStream(uri: $0, attributes: list, line: line.number) }
            if let stream { playlist.imageStreams.append(stream) }
        case .sessionData: playlist.sessionData.append(SessionData(attributes: try entry(from: value, line)))
        case .sessionKey:
            guard let key = EncryptionKey(try entry(from: value, line)) else {
                throw failure(.missingAttribute("METHOD"), line)
            }
            playlist.sessionKeys.append(key)
        case .inf, .targetDuration: throw failure(.mixedKinds, line)
        default: try readHeader(tag, value: value, line)
        }
    }

    private mutating func readHeader(_ tag: Tag, value: Int, _ line: Line) throws(PlaylistError) {
        switch tag {
        case .version: playlist.version = DecimalText.integer(bytes[value..<line.end])
        case .independentSegments: playlist.independentSegments = true
        case .start: playlist.start = try optionalAttributes(from: value, line).flatMap(StartPoint.init)
        case .contentSteering:
            playlist.contentSteering = try optionalAttributes(from: value, line).flatMap(ContentSteering.init)
        case .define:
            let list = try attributes(from: value, line, isDefinition: true)
            try scope.define(list, line: line.number)
        default: break
        }
    }

    /// A rendition of a TYPE that the RFC does not name is skipped.
    private mutating func readRendition(_ list: AttributeList, _ line: Line) throws(PlaylistError) {
        guard let type = list["TYPE"] else { throw failure(.missingAttribute("TYPE"), line) }
        guard let type = RenditionType(rawValue: type) else { return }
        playlist.renditions.append(
            Rendition(type: type, uri: list["URI"], attributes: list, line: line.number))
    }

    /// The attributes of a tag that counts against the limit of streams.
    private mutating func entry(from value: Int, _ line: Line) throws(PlaylistError) -> AttributeList {
        entries += 1
        guard entries <= limits.streams else { throw failure(.overLimit(.streams(limits.streams)), line) }
        return try attributes(from: value, line)
    }
}
