/// The settings of the bucket in an S3 store with the store's media.
package struct MediaSettings: Codable, Sendable, Equatable {
    /// `s3://BUCKET/PREFIX`.
    package var url: String
    /// The URL of the S3 store.
    package var endpoint: String
    /// The bucket's region; `us-east-1` when `nil`.
    package var region: String?
    /// The part of a URL that names the bucket: `path` or `host`; `path` when `nil`.
    package var addressing: String?
    /// A PEM file of trusted certificates in place of the system's.
    package var authority: String?
    /// The file with the access key; a credential of systemd or the environment when `nil`.
    package var credentials: String?
    /// Bytes that the store's folder keeps at most; 50 GB when `nil`.
    package var cacheSize: UInt64?

    /// The smallest cache: a smaller one would not hold the next segments of a few players.
    package static let smallestCache: UInt64 = 64_000_000
    /// The default size of a cache.
    package static let usualCache: UInt64 = 50_000_000_000

    package init(url: String, endpoint: String) { (self.url, self.endpoint) = (url, endpoint) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        endpoint = try container.decode(String.self, forKey: .endpoint)
        region = try container.decodeIfPresent(String.self, forKey: .region)
        addressing = try container.decodeIfPresent(String.self, forKey: .addressing)
        authority = try container.decodeIfPresent(String.self, forKey: .authority)
        credentials = try container.decodeIfPresent(String.self, forKey: .credentials)
        let text = try? container.decodeIfPresent(String.self, forKey: .cacheSize)
        if let text {
            cacheSize = ByteCount(text)?.bytes
        } else {
            cacheSize = try container.decodeIfPresent(UInt64.self, forKey: .cacheSize)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case url, endpoint, region, addressing, credentials
        case authority = "ca"
        case cacheSize = "cache_size"
    }
}
