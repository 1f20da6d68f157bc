/// A request header field for the hosts that a pattern names.
public struct HostHeader: Codable, Sendable, Equatable {
    /// A host pattern, in which `*` stands for any characters; with a port if only that port is meant.
    public var hosts: String
    /// The field's name.
    public var name: String
    /// Its value, which is a secret.
    public var value: String

    /// A field for some hosts.
    public init(hosts: String, name: String, value: String) {
        (self.hosts, self.name, self.value) = (hosts, name, value)
    }
}

/// A change of the header fields, cookies and other access settings of an asset. Settings that it does not name stay;
/// an empty value removes a setting.
public struct AccessEdit: Sendable, Equatable {
    /// Header fields, name and value. Each replaces all fields of the same name.
    public var headers: [[String]] = []
    /// Header fields for some hosts. Each replaces the field of the same name for the same hosts.
    public var hostHeaders: [HostHeader] = []
    /// Cookies: the text of a cookie file in Netscape's format. They replace all earlier cookies.
    public var cookies: String?
    /// The User-Agent.
    public var userAgent: String?
    /// A proxy URL.
    public var proxy: String?
    /// A file with certificate authorities in PEM.
    public var certificateAuthority: String?

    /// Makes an edit without changes.
    public init() {}

    /// Whether it changes nothing.
    public var isEmpty: Bool { self == AccessEdit() }
}

extension OriginAccess {
    /// Takes a change over.
    package mutating func apply(_ edit: AccessEdit) {
        let names = Set(edit.headers.compactMap { $0.first?.lowercased() })
        headers.removeAll { $0.first.map { names.contains($0.lowercased()) } ?? true }
        headers += edit.headers.filter { $0.count == 2 && !$0[1].isEmpty }
        var fields = hostHeaders ?? []
        fields.removeAll { field in edit.hostHeaders.contains { $0.isAbout(the: field) } }
        fields += edit.hostHeaders.filter { !$0.value.isEmpty }
        hostHeaders = fields.isEmpty ? nil : fields
        Self.change(&cookies, edit.cookies)
        Self.change(&userAgent, edit.userAgent)
        Self.change(&proxy, edit.proxy)
        Self.change(&certificateAuthority, edit.certificateAuthority)
    }

    private static func change(_ value: inout String?, _ edit: String?) {
        if let edit { value = edit.isEmpty ? nil : edit }
    }
}

extension HostHeader {
    fileprivate func isAbout(the other: HostHeader) -> Bool {
        hosts.lowercased() == other.hosts.lowercased() && name.lowercased() == other.name.lowercased()
    }
}
