internal import HTTPTypes

/// The shape of a store's settings (`config.json`), and the faults of settings that don't fit it. Pure.
package enum SettingsShape {
    /// The first thing that is wrong with settings; `nil` when they can be read.
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
        ("storage", storage.orNull), ("hooks", JSONShape.list(hook).orNull),
        ("link_resolver", JSONShape.object(service).orNull),
        ("key_providers", JSONShape.list(keyProvider).orNull),
        ("max_downloads", number.orNull.meaning("assets that download at once")),
        ("transfers", number.orNull.meaning("requests at once for an asset")),
        ("limit_rate", count.orNull.meaning("bytes a second, all downloads together")),
        ("limit_rate_per_host", count.orNull.meaning("bytes a second from one origin")),
        ("schedule", schedule.orNull), ("metered_ok", JSONShape.flag.orNull),
        ("metered_interfaces", texts.orNull),
        ("media", media.orNull),
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
            .either([
                .list(.name(EvictionClass.allCases.map(\.rawValue) + ["all"])),
                .text("\"all\", \"none\" or classes with commas between them") {
                    EvictionClass.set($0) != nil
                },
                .null,
            ])
        ),
    ])

    private static let media = JSONShape.object(
        [
            ("url", JSONShape.text.meaning("the bucket, s3://BUCKET/PREFIX")),
            ("endpoint", JSONShape.text.meaning("the S3 store's URL")), ("region", JSONShape.text.orNull),
            ("addressing", JSONShape.name(["path", "host"]).orNull), ("ca", JSONShape.text.orNull),
            ("credentials", JSONShape.text.orNull.meaning("a file with the access key")),
            (
                "cache_size",
                JSONShape.either([count, .text("a size such as \"200G\"") { ByteCount($0) != nil }, .null])
                    .meaning("bytes of media that the store's folder keeps")
            ),
        ], required: ["url", "endpoint"])

    private static let service: [(name: String, shape: JSONShape)] = [
        ("command", command.orNull), ("url", JSONShape.text.orNull),
    ]

    /// The events and states that a hook can be told of.
    static let occasions =
        AssetState.allCases.map(\.rawValue)
        + AssetEvent.Kind.allCases.filter { $0 != .state }.map(\.rawValue)

    private static let hook = JSONShape.object(
        [("on", JSONShape.list(.name(occasions)).orNull)] + service)

    private static let place = JSONShape.object([("file", .text), ("credential", .text), ("env", .text)])
    private static let secret = JSONShape.either([.text, place])

    private static let keyProvider = JSONShape.object(
        [
            ("name", .text), ("formats", texts.orNull), ("schemes", texts.orNull), ("hosts", texts.orNull),
            ("content_id", JSONShape.text.orNull), ("certificate", JSONShape.text.orNull),
            ("url", JSONShape.text.orNull), ("method", JSONShape.name(["GET", "POST"]).orNull),
            ("headers", JSONShape.map(secret).orNull), ("body", JSONShape.text.orNull),
            ("body_type", JSONShape.text.orNull), ("body_base64", JSONShape.flag.orNull),
            ("answer", answer.orNull), ("command", command.orNull), ("key", secret.orNull),
            ("renew_after", JSONShape.integer(.min ... .max).orNull.meaning("seconds")),
        ], required: ["name"])

    private static let answer = JSONShape.object([
        ("key", JSONShape.text.orNull), ("encoding", JSONShape.name(["raw", "base64", "hex"]).orNull),
        ("renewal_date", JSONShape.text.orNull), ("content_type", JSONShape.text.orNull),
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
            return "needs one of \"file\", \"credential\" and \"env\" in each place of a secret"
        }
        let fields = (provider["headers"]?.members ?? []).map(\.name)
        guard fields.allSatisfy({ HTTPField.Name($0) != nil }) else {
            return "has a header field whose name can't be sent"
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
    /// The items of an array; none of anything else.
    package var items: [LocatedJSON] { if case .array(let items) = value { items } else { [] } }
    /// The members of an object; none of anything else.
    package var members: [Member] { if case .object(let members) = value { members } else { [] } }
    /// The text, if it is one.
    package var string: String? { if case .string(let text) = value { text } else { nil } }
    /// Whether it is null.
    package var isNull: Bool { if case .null = value { true } else { false } }

    /// Whether an object has a member that is not null.
    package func says(_ name: String) -> Bool { self[name].map { !$0.isNull } ?? false }
}
