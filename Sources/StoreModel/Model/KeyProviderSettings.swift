/// A key provider in a store's `config.json`.
package struct KeyProviderSettings: Codable, Sendable {
    package var name: String
    /// The rules for the keys that it gives. All given rules must hold, and one must be given.
    package var formats: [String]?
    package var schemes: [String]?
    /// Hosts; `*.example.com` is all below `example.com`.
    package var hosts: [String]?
    /// The template for the name of the content at the provider's service.
    package var contentID: String?
    /// An http or https URL, or a file.
    package var certificate: String?
    /// A template for an http or https URL. Values are percent-encoded, and the host must not contain any.
    package var url: String?
    package var method: String?
    package var headers: [String: SettingsText]?
    /// A template.
    package var body: String?
    package var bodyType: String?
    /// Whether the body is sent in base 64.
    package var bodyBase64: Bool?
    package var answer: Answer?
    /// A program, which gets JSON on its standard input and writes the key, or JSON, to its standard output.
    package var command: [String]?
    /// The key itself, from a file, a credential or a variable: its bytes, or hexadecimal digits, or base 64.
    package var key: SettingsText?
    /// Seconds after which a key is renewed if the answer has no date.
    package var renewAfter: Int64?

    /// The places in a JSON answer: names and numbers with dots between.
    package struct Answer: Codable, Sendable {
        package var key: String?
        package var encoding: Encoding?
        package var renewalDate: String?
        /// The place of a blob's type, or the type itself.
        package var contentType: String?

        package init(
            key: String? = nil, encoding: Encoding? = nil, renewalDate: String? = nil,
            contentType: String? = nil
        ) {
            self.key = key
            self.encoding = encoding
            self.renewalDate = renewalDate
            self.contentType = contentType
        }

        private enum CodingKeys: String, CodingKey {
            case key, encoding
            case renewalDate = "renewal_date"
            case contentType = "content_type"
        }
    }

    package enum Encoding: String, Codable, Sendable {
        case raw, base64, hex
    }

    private enum CodingKeys: String, CodingKey {
        case name, formats, schemes, hosts, certificate, url, method, headers, body, answer, command, key
        case contentID = "content_id"
        case bodyType = "body_type"
        case bodyBase64 = "body_base64"
        case renewAfter = "renew_after"
    }

    /// Whether it has a header field whose value may be secret.
    package var holdsSecrets: Bool {
        (headers ?? [:]).contains { $1.isPlain && !Self.openFields.contains($0.lowercased()) }
    }

    private static let openFields: Set = [
        "accept", "accept-language", "content-type", "origin", "referer", "user-agent",
    ]

    /// The texts that are kept elsewhere: its key and header fields.
    package var texts: [SettingsText] {
        [key].compactMap(\.self) + (headers ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
}
