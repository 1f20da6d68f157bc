internal import HTTPTypes

/// The shape of a store's settings (`config.json`), and the faults of settings that don't fit it. Pure.
package enum SettingsShape {
    /// The first fault in settings; `nil` if they can be read.
    package static func fault(in bytes: [UInt8]) -> JSONFault? {
        do throws(JSONFault) {
            let document = try LocatedJSON(parsing: bytes)
            return shape.fault(in: document) ?? conflict(in: document)
        } catch {
            return error
        }
    }

    private static let count = JSONShape.integer(0 ... .max)
    private static let number = JSONShape.integer(1...64)
    private static let texts = JSONShape.list(.text)
    private static let command = JSONShape.list(.text, atLeast: 1).meaning("a program and its arguments")

    static let shape = JSONShape.object([
        ("storage", storage.orNull.meaning("how much room the store may take")),
        ("hooks", JSONShape.list(hook).orNull.meaning("programs and URLs that receive events")),
        (
            "link_resolver",
            JSONShape.object(service).orNull.meaning("gives a fresh address when an origin refuses one")
        ),
        ("key_providers", JSONShape.list(keyProvider).orNull.meaning("where keys come from")),
        ("max_downloads", number.orNull.meaning("assets that download at once")),
        ("transfers", number.orNull.meaning("requests at once for an asset")),
        ("limit_rate", count.orNull.meaning("bytes a second, all downloads together")),
        ("limit_rate_per_host", count.orNull.meaning("bytes a second from one origin")),
        ("schedule", schedule.orNull.meaning("when downloads may run, in local time")),
        (
            "metered_ok",
            JSONShape.flag.orNull.meaning("whether downloads run on a metered connection (paid by volume)")
        ),
        (
            "metered_interfaces",
            texts.orNull.meaning("network interfaces that are metered, such as \"wwan*\"")
        ),
        ("media", media.orNull.meaning("an S3 bucket that holds the media")),
        ("catalog", JSONShape.text.orNull.meaning("the shared catalog's database, postgresql://…")),
        ("node_url", JSONShape.text.orNull.meaning("the URL at which other machines reach this one")),
        ("log_plays", JSONShape.flag.orNull.meaning("whether the times of plays are stored")),
    ])

    private static let schedule = JSONShape.text("times of day such as 22:00-06:00, or always") {
        Schedule($0) != nil
    }

    private static let storage = JSONShape.object([
        (
            "quota",
            JSONShape.either([count, .text("a size such as \"50G\"") { ByteCount($0) != nil }, .null])
                .meaning("bytes of media that the store may hold")
        ),
        (
            "evict",
            JSONShape.either([
                .list(.name(EvictionClass.allCases.map(\.rawValue) + ["all"])),
                .text("\"all\", \"none\" or classes with commas between them") {
                    EvictionClass.set($0) != nil
                },
                .null,
            ])
            .meaning("classes of assets that may be evicted when the quota is reached")
        ),
    ])

    private static let media = JSONShape.object(
        [
            ("url", JSONShape.text.meaning("the bucket, s3://BUCKET/PREFIX")),
            ("endpoint", JSONShape.text.meaning("the S3 store's URL")),
            ("region", JSONShape.text.orNull.meaning("the region to sign for; us-east-1, if left out")),
            (
                "addressing",
                JSONShape.name(["path", "host"]).orNull
                    .meaning("where requests name the bucket; in the path, if left out")
            ),
            ("ca", JSONShape.text.orNull.meaning("a file with certificate authorities to trust")),
            ("credentials", JSONShape.text.orNull.meaning("a file with the access key")),
            (
                "cache_size",
                JSONShape.either([count, .text("a size such as \"200G\"") { ByteCount($0) != nil }, .null])
                    .meaning("bytes of media that the store's folder keeps")
            ),
        ], required: ["url", "endpoint"])

    private static let service: [(name: String, shape: JSONShape)] = [
        ("command", command.orNull), ("url", JSONShape.text.orNull.meaning("the URL that gets a POST")),
    ]

    /// The events and states that a hook can be told of.
    static let occasions =
        AssetState.allCases.map(\.rawValue)
        + AssetEvent.Kind.allCases.filter { $0 != .state }.map(\.rawValue)

    private static let hook = JSONShape.object(
        [
            (
                "on",
                JSONShape.list(.name(occasions)).orNull
                    .meaning("states and event types; every event, if it is left out")
            )
        ] + service)

    private static let place = JSONShape.object([
        ("file", JSONShape.text.meaning("a file that holds the secret")),
        ("credential", JSONShape.text.meaning("a name of systemd's LoadCredential=")),
        ("env", JSONShape.text.meaning("a variable of the environment")),
    ])
    private static let secret = JSONShape.either([.text, place])

    private static let keyProvider = JSONShape.object(
        [
            ("name", JSONShape.text.meaning("its name in messages and files")),
            ("formats", texts.orNull.meaning("a rule: the KEYFORMAT is in this list")),
            ("schemes", texts.orNull.meaning("a rule: the scheme of the key's URI is in this list")),
            (
                "hosts",
                texts.orNull.meaning(
                    "a rule: the host of the key's URI matches a pattern of this list, such as \"*.keys.example\""
                )
            ),
            (
                "content_id",
                JSONShape.text.orNull.meaning(
                    "the template of {content_id}; the URI without its scheme, if left out")
            ),
            ("certificate", JSONShape.text.orNull.meaning("the URL of the certificate for {certificate}")),
            ("url", JSONShape.text.orNull.meaning("the template of the URL that is asked for the key")),
            ("method", JSONShape.name(["GET", "POST"]).orNull.meaning("the method of that request")),
            (
                "headers",
                JSONShape.map(secret.meaning("a template, or the place of a secret")).orNull
                    .meaning("header fields of that request")
            ),
            ("body", JSONShape.text.orNull.meaning("the template of the content of that request")),
            (
                "body_type",
                JSONShape.text.orNull.meaning("its Content-Type; application/json, if left out")
            ),
            ("body_base64", JSONShape.flag.orNull.meaning("whether the content is sent in base64")),
            (
                "answer",
                answer.orNull.meaning("where the key is in a JSON answer; the answer is the key, if left out")
            ),
            ("command", command.orNull),
            (
                "key",
                secret.orNull.meaning(
                    "the place of the key itself: a file, a credential or a variable, never the key")
            ),
            (
                "renew_after",
                JSONShape.integer(.min ... .max).orNull
                    .meaning("seconds after which the key is asked for again")
            ),
        ], required: ["name"])

    private static let answer = JSONShape.object([
        ("key", JSONShape.text.orNull.meaning("the path of the key, such as \"keys.0.k\"")),
        ("encoding", JSONShape.name(["raw", "base64", "hex"]).orNull.meaning("the form of the key")),
        ("renewal_date", JSONShape.text.orNull.meaning("the path of the time at which to ask again")),
        (
            "content_type",
            JSONShape.text.orNull.meaning("the path of the content type of a key system's blob")
        ),
    ])
}

extension SettingsShape {
    /// Finds members that contradict each other.
    private static func conflict(in document: LocatedJSON) -> JSONFault? {
        for (index, hook) in (document["hooks"]?.items ?? []).enumerated() {
            if let fault = serviceConflict(hook, ["hooks", "\(index)"], subject: "a hook") { return fault }
        }
        if let resolver = document["link_resolver"], !resolver.isNull,
            let fault = serviceConflict(resolver, ["link_resolver"], subject: "the link resolver")
        {
            return fault
        }
        for (index, provider) in (document["key_providers"]?.items ?? []).enumerated() {
            if let text = conflict(ofProvider: provider) {
                let name = provider["name"]?.string.map { " \"\($0.plainLine)\"" } ?? ""
                return JSONFault(
                    .conflict("the key provider\(name) \(text)"), path: ["key_providers", "\(index)"],
                    offset: provider.offset)
            }
        }
        return nil
    }

    private static func serviceConflict(
        _ service: LocatedJSON, _ path: [String], subject: String
    ) -> JSONFault? {
        let ways = ["command", "url"].filter { service.says($0) }
        guard ways.count != 1 else { return nil }
        let text = ways.isEmpty ? "names neither" : "names both; leave one out of"
        return JSONFault(
            .conflict("\(subject) \(text) \"command\" \(ways.isEmpty ? "nor" : "and") \"url\""), path: path,
            offset: service.offset)
    }

    /// The fault of a key provider. It needs a name for files, a rule, and one way to get a key. A key itself is
    /// never written into the settings.
    private static func conflict(ofProvider provider: LocatedJSON) -> String? {
        let name = provider["name"]?.string ?? ""
        let isNamed = !name.isEmpty && name.utf8.allSatisfy(isNameByte) && !name.hasPrefix(".")
        guard isNamed else {
            return "may have letters, digits, \".\", \"_\" and \"-\" in its name, and nothing else"
        }
        guard ["url", "command", "key"].count(where: { provider.says($0) }) == 1 else {
            return "needs one of \"url\", \"command\" and \"key\""
        }
        let rules = ["formats", "schemes", "hosts"].filter { provider.says($0) }
        guard !rules.isEmpty else { return "needs a rule: \"formats\", \"schemes\" or \"hosts\"" }
        guard rules.allSatisfy({ provider[$0]?.items.isEmpty == false }) else {
            return "has a rule that is empty"
        }
        if let url = provider["url"]?.string, !TextTemplate.hasFixedHost(url) {
            return "needs an http or https \"url\" without a template in its host"
        }
        if provider["key"]?.string != nil {
            return "must not have the key itself in the settings; name a file, a credential or a variable"
        }
        let texts = [provider["key"]].compactMap(\.self) + (provider["headers"]?.members ?? []).map(\.value)
        guard texts.allSatisfy({ $0.string != nil || $0.isNull || $0.members.count == 1 }) else {
            return "needs one of \"file\", \"credential\" and \"env\" for each secret"
        }
        let fields = (provider["headers"]?.members ?? []).map(\.name)
        guard fields.allSatisfy({ HTTPField.Name($0) != nil }) else {
            return "has a header field with an invalid name"
        }
        return nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension LocatedJSON {
    /// The items of an array; empty for other values.
    package var items: [LocatedJSON] { if case .array(let items) = value { items } else { [] } }
    /// The members of an object; empty for other values.
    package var members: [Member] { if case .object(let members) = value { members } else { [] } }
    /// The text, if it is one.
    package var string: String? { if case .string(let text) = value { text } else { nil } }
    /// Whether it is null.
    package var isNull: Bool { if case .null = value { true } else { false } }

    /// Whether an object has a member that is not null.
    package func says(_ name: String) -> Bool { self[name].map { !$0.isNull } ?? false }
}
