internal import APIDocuments

/// Bodies of requests as clients write them. Each fits its schema, and the server accepts it.
enum APIExamples {
    static func body(of operation: APIOperation) -> JSONValue? {
        guard let body = operation.documentation.body else { return nil }
        return bodies[operation.name] ?? (body == "Object" ? [:] : nil)
    }

    static let token: JSONValue = "01JA2B3C4D5E6F7G8H9JKMNPQR"

    private static let stream: JSONValue = "https://media.example/show/master.m3u8"

    private static let bodies: [String: JSONValue] = [
        "addAssets": [
            "url": stream, "name": "Show", "max_height": 720, "audio": ["en", "de"], "subtitles": "all",
            "rental": "30d", "meta": ["series": "7"], "tags": ["kids"],
            "headers": ["Authorization: Bearer abc"],
            "headers_for": ["*.cdn.example": ["Authorization: Bearer abc"]],
        ],
        "editAsset": [
            "priority": 5, "tags": ["kids", "winter"], "pinned": true, "limit_rate": 2_000_000,
            "schedule": "22:00-06:00",
        ],
        "cancelAsset": ["purge": true], "repairAsset": ["quick": false],
        "resumeAsset": ["accept_changes": false],
        "setPosition": ["position": 1834.5, "watched": false],
        "relinkAsset": ["url": "https://media.example/show/master.m3u8?t=2"],
        "changeTracks": ["subtitles": ["ja"], "max_height": 1080],
        "controlAssets": ["action": "prioritize", "priority": 10, "tokens": [token]],
        "probeStream": ["url": stream], "estimateDownload": ["url": stream, "max_bitrate": 3_000_000],
        "importFolder": ["path": "/srv/hls/show", "name": "Show"],
        "changeSettings": ["max_downloads": 2, "limit_rate": 5_000_000, "schedule": "always"],
        "signIn": ["code": "K7QM4XHT", "name": "TV"],
        "pruneStorage": ["dry_run": true, "free": 1_000_000_000, "evict": ["expired", "watched"]],
        "renewLicense": ["rental": "48h", "play_window": "24h"],
        "addKey": ["key": "6e5a1d26275747b9a046e0e8ab02e3fd:b42ca3172ee4e69bf51848a59db9cd13"],
    ]
}
