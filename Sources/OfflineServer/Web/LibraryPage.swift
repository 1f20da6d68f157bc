internal import APIDocuments
internal import AssetStore
internal import SidebandSubtitles

/// The pages for browsers, before their scripts run or without scripts: a list of assets, and a player.
struct LibraryPage {
    /// The server's address for this reader, without a slash at the end.
    let server: String
    /// The current work on assets that are not complete.
    var live: [AssetToken: LiveFigures] = [:]
    /// The names of the scripts that browsers load at once instead of one after the other.
    var modules: [String] = []
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; \
        connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    /// The newest assets, for people and, as data, for the scripts, which need no request for their first picture.
    func library(_ list: AssetListDocument) -> String {
        let items = list.assets.map(item).joined()
        let body =
            list.assets.isEmpty
            ? "<p>Nothing here yet. <code>offline-server download URL</code> brings a stream.</p>"
            : "<ul class=\"cards\">\(items)</ul>"
        // Within a script element only "<" can end it (HTML Standard, section 13.2.5.4).
        let data = list.json(isShort: true).text.replacing("<", with: "\\u003c")
        let older = list.next.map { "<noscript><p><a href=\"?before=\($0)\">Older</a></p></noscript>" } ?? ""
        return Self.page(
            "Library", name: "library", root: "",
            body: """
                <h1>Library</h1>\(body)\(older)<script type="application/json" id="first">\(data)</script>
                """, modules: modules)
    }

    private func item(_ asset: Asset) -> String {
        let picture = asset.poster == nil ? "" : "<img src=\"assets/\(asset.token)/poster\" alt=\"\">"
        let health = HealthReport.suffix(asset)
        let isFine = asset.state == .complete && health.isEmpty
        let share = asset.state == .complete ? "" : " \(HumanUnits.percent(asset.progress))"
        let wait = line(asset).map { ", \($0)" } ?? ""
        let state = isFine ? "" : " · \(Self.escaped(asset.state.rawValue + health + wait))\(share)"
        return """
            <li class="item"><span class="cover">\(picture)</span><div class="text">\
            <a class="name" href="watch/\(asset.token)">\(Self.escaped(asset.name))</a>
            <span class="facts">\(HumanUnits.duration(asset.duration)) · \(HumanUnits.bytes(asset.storedBytes))\(state)</span></div></li>
            """
    }

    /// The reason for which it waits, or the failure that is retried.
    private func line(_ asset: Asset) -> String? {
        ActivityLine.short(asset, LiveFigures.of(asset, known: live[asset.token]).activity)
    }

    /// The page of one asset, with a player.
    func watch(_ asset: Asset, _ subtitles: [SubtitleRendition]) -> String {
        let path = "/assets/\(asset.token)/master.m3u8"
        // Names of hosts may have an ampersand.
        let address = Self.escaped(server) + path
        // Relative, so that a prefix that carries the token stays.
        let poster = asset.poster == nil ? "" : " poster=\"../assets/\(asset.token)/poster\""
        return Self.page(
            asset.name, name: "watch", root: "../",
            body: """
                <p><a href="../">Library</a></p><h1>\(Self.escaped(asset.name))</h1>
                <video controls playsinline preload="none"\(poster) src="..\(path)">\(Self.tracks(subtitles, asset.token))</video>
                <p>\(Self.escaped(PlayableReport.sentence(asset)))</p>\(wait(asset))\(Self.problems(asset))
                <p>If no video appears, this browser can't play HLS. These players can:</p>
                <pre>mpv \(address)
                vlc \(address)
                ffplay \(address)</pre>
                """, modules: modules)
    }

    /// The page of an asset that there is not.
    static func noAsset(_ detail: String) -> String {
        page(
            "There is no such asset", name: "watch", root: "../",
            body: """
                <p><a href="../">Library</a></p><h1>There is no such asset</h1><p>\(escaped(detail))</p>
                """)
    }

    private func wait(_ asset: Asset) -> String {
        line(asset).map { "<p>\(Self.escaped("\(asset.state.rawValue), \($0)"))</p>" } ?? ""
    }

    private static func problems(_ asset: Asset) -> String {
        let items = HealthReport.lines(asset).map { "<li>\(escaped($0))</li>" }
        return items.isEmpty ? "" : "<ul class=\"problems\">\(items.joined())</ul>"
    }

    /// Each subtitle track whole, for browsers whose HLS player leaves subtitles out, as Chromium's does.
    private static func tracks(_ subtitles: [SubtitleRendition], _ token: AssetToken) -> String {
        subtitles.map { track in
            let path = AssetResource.subtitles(track.name, .vtt).relativePath
            let kind = track.isSDH ? "captions" : "subtitles"
            let language = track.language.map { " srclang=\"\(escaped($0))\"" } ?? ""
            let label = escaped(SubtitleListDocument.name(of: track) ?? track.name)
            return "<track kind=\"\(kind)\"\(language) label=\"\(label)\" src=\"../assets/\(token)/\(path)\">"
        }.joined()
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// - Parameters:
    ///   - name: the page's name for scripts.
    ///   - root: the relative path to the server's root.
    ///   - body: markup.
    ///   - modules: the names of the scripts to load at once.
    static func page(
        _ title: String, name: String, root: String, body: String, modules: [String] = []
    ) -> String {
        let ahead = modules.map { "<link rel=\"modulepreload\" href=\"\(root)app/\($0)\">" }.joined()
        return """
            <!doctype html><html lang="en" data-page="\(name)" data-version="\(escaped(Version.current))"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="light dark"><title>\(escaped(title)) – offline-server</title>\(ahead)
            <link rel="stylesheet" href="\(root)app/app.css"><link rel="icon" href="\(root)app/icon.svg" type="image/svg+xml">
            <link rel="manifest" href="\(root)app/app.webmanifest"><script type="module" src="\(root)app/main.js"></script></head>
            <body>\(name == "signin" ? "" : head(root))<main id="main" class="plain">\(body)</main></body></html>

            """
    }

    /// The beginning of the pages' head, which scripts make whole.
    private static func head(_ root: String) -> String {
        """
        <header class="head"><a class="brand" href="\(root.isEmpty ? "./" : root)">\
        <img class="mark" src="\(root)app/icon.svg" alt=""><span>offline<b>server</b></span></a></header>
        """
    }
}
