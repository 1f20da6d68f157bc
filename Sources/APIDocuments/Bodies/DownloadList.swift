internal import Foundation
package import StoreReading

/// Several downloads in one body of `POST /assets`: an array of addresses and download objects, or an object with
/// such an array as `assets` and members for all of them.
package struct DownloadList: Codable {
    package var assets: [Item]
    /// Whether the downloads wait for the caller's `resume`, for two seconds at most.
    package var hold: Bool?
    /// How many of the list are to be in the store or on their way. If there are fewer, new ones are added, but none
    /// that was in the store before.
    package var next: Int?

    /// One of the downloads.
    package enum Item: Codable {
        case url(String)
        case body(DownloadBody)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let url = try? container.decode(String.self) {
                self = .url(url)
            } else {
                self = .body(try container.decode(DownloadBody.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .url(let url): try container.encode(url)
            case .body(let body): try container.encode(body)
            }
        }

        /// The request of the item.
        package var request: AssetRequest {
            switch self {
            case .url(let url): AssetRequest(url: url)
            case .body(let body): body.request
            }
        }
    }

    /// Reads a body; `nil` when it is no list of downloads.
    package init?(_ json: [UInt8]) {
        guard let (list, _) = Self.read(json), !list.assets.isEmpty, list.next ?? 1 > 0,
            list.assets.allSatisfy(\.isSound)
        else { return nil }
        self = list
    }

    /// The contradiction in an item of a list; `nil` without one, or if the body is not a list.
    package static func conflict(in json: [UInt8]) -> JSONFault? {
        read(json).flatMap { list, path in list.conflict(path) }
    }

    /// A list, and where in the body its downloads are.
    private static func read(_ json: [UInt8]) -> (list: DownloadList, path: [String])? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if let items = try? decoder.decode([Item].self, from: Data(json)) {
            return (DownloadList(assets: items), [])
        }
        return (try? decoder.decode(DownloadList.self, from: Data(json))).map { ($0, ["assets"]) }
    }

    package init(assets: [Item], hold: Bool? = nil, next: Int? = nil) {
        self.assets = assets
        (self.hold, self.next) = (hold, next)
    }

    /// The body that asks for the same.
    package static func json(
        _ requests: some Collection<AssetRequest>, isHeld: Bool, next: Int? = nil
    ) throws -> [UInt8] {
        let list = DownloadList(assets: requests.map { .body(DownloadBody($0)) }, hold: isHeld, next: next)
        return try JSONBody.encode(list)
    }
}

extension DownloadList.Item {
    fileprivate var isSound: Bool {
        guard case .body(let body) = self else { return true }
        return body.isSound
    }
}
