package import StoreReading

/// The body of `POST /assets/{token}/license`. Reading and writing side by side.
package struct LicenseBody: Codable, AccessMembers {
    var purchase: Bool?
    var rental: Span?
    var playWindow: Span?
    package var viaUrl: String?
    package var headers: [String]?
    package var headersFor: [String: [String]]?
    package var cookies: String?
    package var userAgent: String?
    package var proxy: String?
    package var ca: String?

    /// Seconds as a number, or text such as `"30d"`.
    package struct Span: Codable {
        var seconds: Int64

        init?(_ seconds: Int64?) {
            guard let seconds else { return nil }
            self.seconds = seconds
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = (try? container.decode(Int64.self)).map { "\($0)" }
            guard let span = TimeSpan(argument: try text ?? container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
            }
            seconds = span.seconds
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(seconds)
        }
    }

    /// Reads a body; `nil` when it is no JSON object, a member has a wrong type, or members exclude each other.
    package init?(_ json: [UInt8]) {
        guard let body: Self = JSONBody.decode(json), body.conflict == nil else { return nil }
        self = body
    }

    /// The terms in the body; `nil` keeps the present ones.
    package var terms: LicenseTerms? {
        guard purchase == true || rental != nil || playWindow != nil else { return nil }
        return LicenseTerms(rental: rental?.seconds, playWindow: playWindow?.seconds)
    }

    /// The body that asks for the same.
    package init(_ terms: LicenseTerms?, via url: String?, _ edit: AccessEdit) {
        purchase = terms.map { $0.kind == .purchase }
        rental = Span(terms?.rental)
        playWindow = Span(terms?.playWindow)
        viaUrl = url
        say(edit)
    }
}

extension LicenseBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("LicenseRequest", licenseTerms)
        ]

        private static let licenseTerms: JSONValue = [
            "allOf": [
                open(terms + [("via_url", urlOrNull.said("A fresh address of the same stream."))] + access)
                    .adding([("additionalProperties", false)]), oneKind,
            ]
        ]
    }
}
