/// A key provider as a store's `config.json` has it.
struct KeyProviderSettings: Codable, Sendable {
    var name: String
    /// Which keys it gives. All that are there must hold, and one must be there.
    var formats: [String]?
    var schemes: [String]?
    /// Hosts; `*.example.com` is all below `example.com`.
    var hosts: [String]?
    /// What its service calls the content, as a template.
    var contentID: String?
    /// An http or https URL, or a file.
    var certificate: String?
    /// A template for an http or https URL. Values are percent-encoded, and none may stand in the host.
    var url: String?
    var method: String?
    var headers: [String: SettingsText]?
    /// A template.
    var body: String?
    var bodyType: String?
    /// Whether the body is sent in base 64.
    var bodyBase64: Bool?
    var answer: Answer?
    /// A program, which gets JSON on its standard input and writes the key, or JSON, to its standard output.
    var command: [String]?
    /// The key itself, from a file, a credential or a variable: its bytes, or hexadecimal digits, or base 64.
    var key: SettingsText?
    /// Seconds after which a key is asked for again, when the answer has no date.
    var renewAfter: Int64?

    /// Where in a JSON answer things are: names and numbers with dots between.
    struct Answer: Codable, Sendable {
        var key: String?
        var encoding: Encoding?
        var renewalDate: String?
        /// Where the type of a blob is, or the type itself.
        var contentType: String?

        private enum CodingKeys: String, CodingKey {
            case key, encoding
            case renewalDate = "renewal_date"
            case contentType = "content_type"
        }
    }

    enum Encoding: String, Codable, Sendable {
        case raw, base64, hex
    }

    private enum CodingKeys: String, CodingKey {
        case name, formats, schemes, hosts, certificate, url, method, headers, body, answer, command, key
        case contentID = "content_id"
        case bodyType = "body_type"
        case bodyBase64 = "body_base64"
        case renewAfter = "renew_after"
    }

    /// Whether a header field stands in it whose value may be a secret.
    var holdsSecrets: Bool {
        (headers ?? [:]).contains { $1.isPlain && !Self.openFields.contains($0.lowercased()) }
    }

    private static let openFields: Set = [
        "accept", "accept-language", "content-type", "origin", "referer", "user-agent",
    ]

    /// The texts that are kept elsewhere: its key and header fields.
    var texts: [SettingsText] {
        [key].compactMap(\.self) + (headers ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
}
