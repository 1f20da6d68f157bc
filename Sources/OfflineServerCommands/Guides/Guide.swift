internal import Foundation

/// A how-to page of the manual, which lies beside the program.
struct Guide {
    /// The name that `help` takes: that of the page's file.
    let name: String
    /// The page in Markdown.
    let page: String

    /// The first heading of the page.
    var title: String {
        page.split(separator: "\n").first { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) } ?? name
    }

    /// The guides that came with a program, by name; none where their folder is not beside it.
    static func all(besides program: URL?) -> [Guide] {
        guard let program = program?.resolvingSymlinksInPath() else { return [] }
        let folder = program.deletingLastPathComponent().appendingPathComponent(DemoAsset.bundle)
            .appendingPathComponent("how-to")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "md" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { file in
                guard let page = try? String(contentsOf: file, encoding: .utf8) else { return nil }
                return Guide(name: file.deletingPathExtension().lastPathComponent, page: page)
            }
    }
}
