package import StoreReading

/// The members of bodies for the access to an origin, named as in `POST /assets`.
package protocol AccessMembers {
    var headers: [String]? { get set }
    /// Header fields by the hosts that they are for.
    var headersFor: [String: [String]]? { get set }
    var cookies: String? { get set }
    var userAgent: String? { get set }
    var proxy: String? { get set }
    var ca: String? { get set }
}

extension AccessMembers {
    /// Whether all header fields are valid, so that none would be left out.
    package var hasSoundAccess: Bool {
        let fields = headersFor ?? [:]
        return ((headers ?? []) + fields.values.flatMap(\.self)).allSatisfy { HeaderLine.split($0) != nil }
            && fields.keys.allSatisfy(HostPattern.isValid)
    }

    var hostHeaders: [HostHeader] {
        (headersFor ?? [:]).sorted { $0.key < $1.key }.flatMap { hosts, lines in
            lines.compactMap(HeaderLine.split).map { HostHeader(hosts: hosts, name: $0[0], value: $0[1]) }
        }
    }

    /// The changes of the access to an origin.
    package var accessEdit: AccessEdit {
        var edit = AccessEdit()
        edit.headers = (headers ?? []).compactMap(HeaderLine.split)
        edit.hostHeaders = hostHeaders
        (edit.cookies, edit.userAgent, edit.proxy) = (cookies, userAgent, proxy)
        edit.certificateAuthority = ca
        return edit
    }

    /// Says the same as a change.
    mutating func say(_ edit: AccessEdit) {
        headers = edit.headers.isEmpty ? nil : edit.headers.map { $0.joined(separator: ": ") }
        headersFor = edit.hostHeaders.isEmpty ? nil : HeaderLine.byHosts(edit.hostHeaders)
        (cookies, userAgent, proxy) = (edit.cookies, edit.userAgent, edit.proxy)
        ca = edit.certificateAuthority
    }
}

extension HeaderLine {
    /// Header fields as members of a body.
    static func byHosts(_ fields: [HostHeader]) -> [String: [String]] {
        Dictionary(grouping: fields, by: \.hosts).mapValues { $0.map { "\($0.name): \($0.value)" } }
    }
}

/// The body of `POST /assets/{token}/relink`.
package struct RelinkBody: Codable, AccessMembers {
    package var url: String
    package var headers: [String]?
    package var headersFor: [String: [String]]?
    package var cookies: String?
    package var userAgent: String?
    package var proxy: String?
    package var ca: String?

    package init(_ url: String, _ edit: AccessEdit) {
        self.url = url
        say(edit)
    }
}
