internal import Foundation

/// A page of the manual, which lies beside the program.
struct Guide {
    /// The name for `help`: the file's name. If a command or an earlier page has this name, the folder stands before
    /// it, as in `reference/settings`.
    let name: String
    /// The page in Markdown.
    let page: String

    /// The folders of the manual in the order of `help`'s list; "" for the manual's own folder.
    private static let folders = ["", "how-to", "explanation", "reference"]

    /// The first heading of the page.
    var title: String {
        page.split(separator: "\n").first { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) } ?? name
    }

    /// The pages that lie beside a program; empty if their folder is not there.
    ///
    /// - Parameter commands: the names of commands.
    static func all(besides program: URL?, commands: Set<String>) -> [Guide] {
        guard let program = program?.resolvingSymlinksInPath() else { return [] }
        let manual = program.deletingLastPathComponent().appendingPathComponent(DemoAsset.bundle)
        var guides: [Guide] = []
        var taken = commands
        for folder in folders {
            for file in pages(in: folder.isEmpty ? manual : manual.appendingPathComponent(folder)) {
                guard let page = try? String(contentsOf: file, encoding: .utf8) else { continue }
                let name = file.deletingPathExtension().lastPathComponent
                let isNew = taken.insert(name).inserted
                guides.append(Guide(name: isNew ? name : "\(folder)/\(name)", page: page))
            }
        }
        return guides
    }

    private static func pages(in folder: URL) -> [URL] {
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "md" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
