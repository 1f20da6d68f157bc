internal import ArgumentParser
internal import AssetStore

/// `storage`: who uses which bytes.
struct Storage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage", abstract: "Show who uses which bytes.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let use = try global.reader().storage()
        guard !global.json else { return Console.result(StorageDocument(use).json.text) }
        var table = Table("TOKEN", "BYTES", "NAME")
        for share in use.assets {
            table.add(share.token.description, HumanUnits.bytes(share.bytes), share.name)
        }
        for line in table.lines { Console.result(line) }
        let total = use.assets.reduce(0) { $0 + $1.bytes }
        Console.result(
            "media \(HumanUnits.bytes(total)), catalog \(HumanUnits.bytes(use.catalogBytes)), "
                + "free \(use.freeBytes.map(HumanUnits.bytes) ?? "unknown")")
        for name in use.orphans { Console.result("assets/\(name) belongs to no asset") }
    }
}
