internal import ASCII

/// The place of media in an S3 store: a bucket behind an endpoint, and the common prefix of all keys.
package struct S3Location: Sendable, Hashable {
    /// The forms in which a URL names a bucket.
    package enum Addressing: String, Sendable, Hashable, CaseIterable {
        /// `https://HOST/BUCKET/KEY`.
        case path
        /// `https://BUCKET.HOST/KEY`.
        case host
    }

    /// The reason for which a place is not valid.
    package enum Problem: Error, Sendable, Hashable {
        /// The address is not `s3://BUCKET` or `s3://BUCKET/PREFIX`.
        case address(String)
        /// The endpoint is not a URL of http or https with only a host and a path.
        case endpoint(String)
    }

    /// The bucket's name.
    package let bucket: String
    /// The prefix of all keys, with a slash at its end; empty for none.
    package let prefix: String
    let scheme: String
    let authority: String
    let basePath: String
    package let region: String
    package let addressing: Addressing

    /// Reads a place from settings.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET/PREFIX`.
    ///   - endpoint: the server's URL.
    package init(
        _ address: String, endpoint: String, region: String = "us-east-1", addressing: Addressing = .path
    ) throws(Problem) {
        guard let (bucket, prefix) = Self.parse(address) else { throw .address(address) }
        guard let (scheme, authority, path) = Self.parse(endpoint: endpoint) else {
            throw .endpoint(endpoint)
        }
        (self.bucket, self.prefix) = (bucket, prefix)
        (self.scheme, self.authority, self.basePath) = (scheme, authority, path)
        (self.region, self.addressing) = (region, addressing)
    }

    /// The address without the endpoint.
    package var text: String { "s3://\(bucket)/\(prefix)" }
    /// The endpoint's URL.
    package var endpoint: String { "\(scheme)://\(authority)\(basePath)" }

    /// The value of the `Host` field, as libcurl makes it.
    var host: String { addressing == .host ? "\(bucket).\(authority)" : authority }

    /// The encoded path of a key, or of the bucket itself.
    func path(of key: String?) -> String {
        let bucketPath = addressing == .host ? "" : "/\(bucket)"
        return SignatureV4.path("\(basePath)\(bucketPath)/\(key ?? "")")
    }

    /// The URL of an encoded path and query.
    func url(_ path: String, _ query: String) -> String {
        "\(scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
    }

    private static func parse(_ address: String) -> (bucket: String, prefix: String)? {
        guard address.hasPrefix("s3://") else { return nil }
        let parts = address.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(parts[0])
        let isName = bucket.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == .dot || $0 == .hyphen || $0 == UInt8(ascii: "_")
        }
        guard isName, (3...63).contains(bucket.utf8.count), !bucket.contains("..") else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return (bucket, "") }
        var folders = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        if folders.last == "" { folders.removeLast() }
        let isClean = folders.allSatisfy { folder in
            !folder.isEmpty && folder != "." && folder != ".."
                && folder.utf8.allSatisfy { $0 > .space && $0 < 0x7F }
        }
        guard isClean, parts[1].utf8.count <= 512 else { return nil }
        return (bucket, folders.joined(separator: "/") + "/")
    }

    private static func parse(endpoint: String) -> (scheme: String, authority: String, path: String)? {
        guard let range = endpoint.firstRange(of: "://") else { return nil }
        let scheme = endpoint[..<range.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = endpoint[range.upperBound...]
        guard
            rest.utf8.allSatisfy({
                $0 > .space && $0 < 0x7F && $0 != .at && $0 != .questionMark && $0 != .hash
            })
        else { return nil }
        var authority = rest.prefix { $0 != "/" }.lowercased()
        let defaultPort = scheme == "http" ? ":80" : ":443"
        if authority.hasSuffix(defaultPort) { authority.removeLast(defaultPort.count) }
        guard !authority.isEmpty, !authority.hasPrefix(":") else { return nil }
        var path = String(rest.drop { $0 != "/" })
        while path.hasSuffix("/") { path.removeLast() }
        return (scheme, authority, path)
    }
}
