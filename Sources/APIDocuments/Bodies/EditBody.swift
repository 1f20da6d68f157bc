package import StoreReading

/// The body of `PATCH /assets/{token}`.
package struct EditBody: Decodable, AccessMembers {
    package var name: String?
    package var priority: Int?
    var meta: [String: String]?
    var tags: [String]?
    package var artwork: String?
    var pinned: Bool?
    package var limitRate: UInt64?
    var schedule: Schedule?
    var meteredOk: Bool?
    package var headers: [String]?
    package var headersFor: [String: [String]]?
    package var cookies: String?
    package var userAgent: String?
    package var proxy: String?
    package var ca: String?

    private enum CodingKeys: CodingKey {
        case name, priority, meta, tags, artwork, pinned, limitRate, schedule, meteredOk
        case headers, headersFor, cookies, userAgent, proxy, ca
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        priority = try members.decodeIfPresent(Int.self, forKey: .priority)
        meta = try members.decodeIfPresent([String: String].self, forKey: .meta)
        tags = try members.decodeIfPresent([String].self, forKey: .tags)
        artwork = try members.decodeIfPresent(String.self, forKey: .artwork)
        pinned = try members.decodeIfPresent(Bool.self, forKey: .pinned)
        limitRate = try members.decodeRate(forKey: .limitRate)
        schedule = try members.decodeIfPresent(Schedule.self, forKey: .schedule)
        meteredOk = try members.decodeIfPresent(Bool.self, forKey: .meteredOk)
        headers = try members.decodeIfPresent([String].self, forKey: .headers)
        headersFor = try members.decodeIfPresent([String: [String]].self, forKey: .headersFor)
        cookies = try members.decodeIfPresent(String.self, forKey: .cookies)
        userAgent = try members.decodeIfPresent(String.self, forKey: .userAgent)
        proxy = try members.decodeIfPresent(String.self, forKey: .proxy)
        ca = try members.decodeIfPresent(String.self, forKey: .ca)
    }

    package var edit: AssetEdit {
        var edit = AssetEdit()
        (edit.name, edit.priority, edit.meta, edit.isPinned) = (name, priority, meta, pinned)
        edit.tags = tags.map(AssetTag.unique)
        (edit.rateLimit, edit.schedule, edit.isMeteredOK) = (limitRate, schedule, meteredOk)
        return edit
    }
}
