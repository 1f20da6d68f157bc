internal import AssetStore
internal import Foundation

/// The body of `POST /assets/{token}/license`. Reading and writing side by side.
struct LicenseBody: Codable {
    var purchase: Bool?
    var rental: Span?
    var playWindow: Span?
    var viaUrl: String?

    /// Seconds as a number, or text such as `"30d"`.
    struct Span: Codable {
        var seconds: Int64

        init?(_ seconds: Int64?) {
            guard let seconds else { return nil }
            self.seconds = seconds
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = (try? container.decode(Int64.self)).map { "\($0)" }
            guard let span = TimeSpan(argument: try text ?? container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
            }
            seconds = span.seconds
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(seconds)
        }
    }

    /// Reads a body; `nil` when it is no JSON object, a member has a wrong type, or there is one that a license
    /// does not have: media can't be chosen here.
    init?(_ json: [UInt8]) {
        let json = json.isEmpty ? Array("{}".utf8) : json
        let object = (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: Any]
        guard let object, object.keys.allSatisfy(Self.members.contains) else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let body = try? decoder.decode(Self.self, from: Data(json)) else { return nil }
        guard body.purchase != true || body.rental == nil else { return nil }
        self = body
    }

    static let members: Set<String> = ["purchase", "rental", "play_window", "via_url"]

    /// The terms that it names; `nil` for the ones of before.
    var terms: LicenseTerms? {
        guard purchase == true || rental != nil || playWindow != nil else { return nil }
        return LicenseTerms(rental: rental?.seconds, playWindow: playWindow?.seconds)
    }

    /// The body that asks for the same.
    static func json(_ terms: LicenseTerms?, via url: String?) -> [UInt8] {
        JSONValue.object([
            ("purchase", terms.map { .bool($0.kind == .purchase) } ?? .null),
            ("rental", JSONValue(terms?.rental)), ("play_window", JSONValue(terms?.playWindow)),
            ("via_url", JSONValue(url)),
        ]).bytes
    }
}
