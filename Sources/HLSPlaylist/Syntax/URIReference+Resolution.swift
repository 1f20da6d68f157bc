internal import ASCII

extension URIReference {
    /// The reference as seen from a base (RFC 3986 §5.2.2), with dot segments removed. The base's fragment
    /// plays no part. Write the result with `description`.
    public func resolved(against base: URIReference) -> URIReference {
        if scheme != nil { return normalized }
        var result = self
        result.scheme = base.scheme
        if authority != nil { return result.normalized }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
        } else if path.utf8.first != .slash {
            result.path = base.merged(with: path)
        }
        return result.normalized
    }

    /// RFC 3986 §5.2.3.
    private func merged(with relative: String) -> String {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: .slash) else { return relative }
        return path[...slash] + relative
    }

    /// A web URL without dot segments and with at least the path `/`. Other URIs, such as `skd:` for a key, have
    /// their own syntax and stay unchanged.
    private var normalized: URIReference {
        let isWeb = scheme.map(URIReference.webSchemes.contains) ?? true
        guard isWeb, authority != nil || path.utf8.first == .slash else { return self }
        var result = self
        result.path = URIReference.removingDotSegments(path)
        return result
    }

    /// RFC 3986 §5.2.4; `%2e` counts as a dot, as in browsers.
    private static func removingDotSegments(_ path: String) -> String {
        guard hasDotSegment(path) else { return path.isEmpty ? "/" : path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let dots = segment.lowercased().replacing("%2e", with: ".")
            if dots == ".." { _ = kept.popLast() }
            if dots == "." || dots == ".." {
                if index == segments.count - 1 { kept.append("") }
            } else {
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// Whether a segment begins with a dot, plain or encoded; most paths have none.
    private static func hasDotSegment(_ path: String) -> Bool {
        var isStart = false
        for byte in path.utf8 {
            if isStart, byte == .dot || byte == .percent { return true }
            isStart = byte == .slash
        }
        return false
    }
}
