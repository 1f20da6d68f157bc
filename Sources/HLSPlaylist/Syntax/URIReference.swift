internal import ASCII

/// A URI or relative reference (RFC 3986), read the way browsers read URLs.
///
/// Blanks around it and line ends inside of it are dropped, in web URLs a backslash is a slash, and characters that
/// no URI may have are percent-encoded; encoded characters stay unchanged.
///
/// ```swift
/// let playlist = URIReference("https://stream.example/film/master.m3u8?token=secret")
/// let segment = URIReference("video/0.ts").resolved(against: playlist)
/// print(segment)  // https://stream.example/film/video/0.ts
/// print(playlist.redacted)  // https://stream.example/film/master.m3u8
/// ```
public struct URIReference: Sendable, Hashable, CustomStringConvertible {
    /// The scheme in lowercase, such as `https`; `nil` for a relative reference.
    public internal(set) var scheme: String?
    /// `user:password@host:port` as written; `nil` without `//`.
    public internal(set) var authority: String?
    /// The path; may be empty.
    public internal(set) var path: String
    /// The part after `?`; `nil` without one.
    public internal(set) var query: String?
    /// The part after `#`; `nil` without one.
    public internal(set) var fragment: String?

    /// Reads a text; every text is a reference.
    public init(_ text: String) {
        var rest = URIReference.cleaned(text)[...]
        scheme = URIReference.takeScheme(&rest)
        let isOpaque = scheme.map { !URIReference.webSchemes.contains($0) } ?? false
        fragment = URIReference.cut(&rest, at: .hash).map { isOpaque ? $0 : URIEncoding.encode($0) }
        query = URIReference.cut(&rest, at: .questionMark).map { isOpaque ? $0 : URIEncoding.encode($0) }
        if !isOpaque, rest.contains(.backslash) { rest = rest.replacing([.backslash], with: [.slash])[...] }
        if rest.starts(with: [.slash, .slash]) {
            let end = rest.dropFirst(2).firstIndex(of: .slash) ?? rest.endIndex
            authority = String(decoding: rest[..<end].dropFirst(2), as: UTF8.self)
            rest = rest[end...]
        }
        let path = String(decoding: rest, as: UTF8.self)
        self.path = isOpaque ? path : URIEncoding.encode(path)
    }

    init(scheme: String?, authority: String?, path: String, query: String?, fragment: String?) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// The text of the reference (RFC 3986 §5.3).
    public var description: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
            + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }
}
