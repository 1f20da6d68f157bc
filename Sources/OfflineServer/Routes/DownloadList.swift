internal import AssetStore
internal import Foundation

/// Several downloads in one body of `POST /assets`: an array of addresses and of what one download takes, or such an
/// array as `assets` with what concerns all of them.
struct DownloadList: Codable {
    var assets: [Item]
    /// Whether the downloads wait for the caller's `resume`, for two seconds at most.
    var hold: Bool?
    /// How many of the list are to be in the store or on their way; what lacks is taken from what never was there.
    var next: Int?

    /// One of the downloads.
    enum Item: Codable {
        case url(String)
        case body(DownloadBody)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let url = try? container.decode(String.self) {
                self = .url(url)
            } else {
                self = .body(try container.decode(DownloadBody.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .url(let url): try container.encode(url)
            case .body(let body): try container.encode(body)
            }
        }

        /// What is asked for.
        var request: AssetRequest {
            switch self {
            case .url(let url): AssetRequest(url: url)
            case .body(let body): body.request
            }
        }
    }

    /// Reads a body; `nil` when it is no list of downloads.
    init?(_ json: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if let items = try? decoder.decode([Item].self, from: Data(json)) {
            self.init(assets: items)
        } else if let list = try? decoder.decode(DownloadList.self, from: Data(json)) {
            self = list
        } else {
            return nil
        }
        guard !assets.isEmpty, next ?? 1 > 0, assets.allSatisfy(\.isSound) else { return nil }
    }

    init(assets: [Item], hold: Bool? = nil, next: Int? = nil) {
        self.assets = assets
        (self.hold, self.next) = (hold, next)
    }

    /// The body that asks for the same.
    static func json(
        _ requests: some Collection<AssetRequest>, isHeld: Bool, next: Int? = nil
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let list = DownloadList(assets: requests.map { .body(DownloadBody($0)) }, hold: isHeld, next: next)
        return [UInt8](try encoder.encode(list))
    }
}

extension DownloadList.Item {
    fileprivate var isSound: Bool {
        guard case .body(let body) = self else { return true }
        return body.isSound
    }
}
