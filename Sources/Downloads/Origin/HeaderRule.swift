internal import Foundation
internal import HLSPlaylist
package import HTTPTypes

/// Decides which of a stream's header fields go to which host. Pure.
///
/// `Authorization` and `Cookie` go to the stream's own host only, the other fields to all hosts of the stream. A
/// field that was given for certain hosts goes to these, whatever its name, and replaces a field of the same name for
/// all hosts. The rule is applied to each hop of a redirect, so it makes no difference who names an address. User
/// information in the stream's address counts as an `Authorization`.
package struct HeaderRule: Sendable {
    /// The purpose of a request.
    package enum Purpose: Sendable, CaseIterable {
        case playlist, segment, key, sessionData, steering
        /// Subtitles and pictures that the user named beside the stream, and resources of interstitials.
        case subtitles, artwork, interstitial

        /// Whether it is a part of the stream: a host that serves it is one of the stream's hosts.
        var isOfStream: Bool {
            switch self {
            case .playlist, .segment, .key, .sessionData, .steering: true
            case .subtitles, .artwork, .interstitial: false
            }
        }
    }

    private let fields: [(name: HTTPField.Name, value: String)]
    private let hostFields: [HostHeader]
    /// The stream's own host with its port.
    private let home: String?
    /// `Authorization` from the user information of the stream's address.
    private let login: String?

    /// Fields with credentials.
    private static let credentials: Set<HTTPField.Name> = [.authorization, .cookie]

    /// - Parameter stream: the address that the user gave, or a link resolver.
    package init(_ access: OriginAccess, stream: String) {
        fields = access.headers.compactMap { pair in
            guard pair.count == 2, let name = HTTPField.Name(pair[0]) else { return nil }
            return (name, pair[1])
        }
        hostFields = access.hostHeaders ?? []
        home = HostCooldowns.host(of: stream)
        login = Self.userInfo(of: stream).map {
            "Basic \(Data(($0.removingPercentEncoding ?? String($0)).utf8).base64EncodedString())"
        }
    }

    private static func userInfo(of address: String) -> Substring? {
        guard let authority = URIReference(address).authority, let at = authority.lastIndex(of: "@"),
            at > authority.startIndex
        else { return nil }
        return authority[..<at]
    }

    /// The fields of a request.
    package func fields(to address: String, for purpose: Purpose) -> HTTPFields {
        let isHome = HostCooldowns.host(of: address).map { $0 == home } ?? false
        let named = hostFields.filter { HostPattern($0.hosts).matches(address) }
        let taken = Set(named.compactMap { HTTPField.Name($0.name) })
        var result = HTTPFields()
        for (name, value) in fields where !taken.contains(name) {
            guard isHome || (purpose.isOfStream && !Self.credentials.contains(name)) else { continue }
            result.append(HTTPField(name: name, value: value))
        }
        for field in named {
            guard let name = HTTPField.Name(field.name) else { continue }
            result.append(HTTPField(name: name, value: field.value))
        }
        if let login, isHome, result[.authorization] == nil, Self.userInfo(of: address) == nil {
            result[.authorization] = login
        }
        return result
    }
}

/// Hosts that a user names: `*` stands for any characters. With a port, it must be that one.
package struct HostPattern: Sendable {
    private let host: [UInt8]
    private let port: Int?

    /// Makes a pattern of any text; an invalid one matches no host.
    package init(_ text: String) {
        let reference = URIReference("//" + text)
        port = reference.port
        host = Array((reference.host ?? "").utf8)
    }

    /// Whether a text is a host pattern: a name or an address, perhaps with stars and a port.
    package static func isValid(_ text: String) -> Bool {
        text.wholeMatch(of: #/(?:[A-Za-z0-9*._\-]+|\[[0-9A-Fa-f:.*]+\])(?::[0-9]{1,5})?/#) != nil
    }

    package func matches(_ address: String) -> Bool {
        let reference = URIReference(address)
        guard let host = reference.host else { return false }
        let usual = reference.scheme == "https" ? 443 : 80
        guard port == nil || port == reference.port ?? usual else { return false }
        return Self.matches(self.host[...], Array(host.utf8)[...])
    }

    /// In time that grows with the product of the lengths: only the last star is gone back to.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (at, place) = (pattern.startIndex, text.startIndex)
        var retry: (pattern: Int, text: Int)?
        while place < text.endIndex {
            if at < pattern.endIndex, pattern[at] == UInt8(ascii: "*") {
                retry = (at, place)
                at += 1
            } else if at < pattern.endIndex, pattern[at] == text[place] {
                (at, place) = (at + 1, place + 1)
            } else if let last = retry {
                retry = (last.pattern, last.text + 1)
                (at, place) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
