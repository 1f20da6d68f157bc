internal import APIDocuments
package import AssetStore
package import Forwarding
internal import HTTPDaemon
internal import HTTPTypes

/// A node on standby reads objects of the store's media itself.
extension BucketReader: ObjectSource {
    package func read(
        _ object: NamedObject, into receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws {
        try await read(object.key, size: object.size, into: receive)
    }
}

extension MediaResponder {
    /// The answer to another node, which asks for the object of a segment: the object's key, in place of the bytes.
    /// If the segment is not stored in a bucket, the answer is the segment.
    ///
    /// - Returns: `nil` for other resources.
    func objectAnswer(_ request: Request, _ token: AssetToken, resource: AssetResource) -> Answer? {
        guard case .unit(let rendition, let name, let suffix) = resource, request.method == .get else {
            return nil
        }
        let key = "\(request.path)?\(NamedObject.query)"
        if let media = cache.find(key) {
            note(media.mark, media.representation, request: request)
            return .response(media.response(to: request))
        }
        let unit = UnitAddress(token, rendition: rendition, name: name, suffix: suffix)
        return .later(deadline: Self.deadline, on: Self.threads) { request in
            await self.objectResponse(request, unit, key: key)
        }
    }

    private func objectResponse(_ request: Request, _ unit: UnitAddress, key: String) async -> Response {
        do throws(StoreError) {
            if let refusal = try refusal(unit) { return refusal.problem(unit.token).response }
            let object = try reader.media.object(
                unit.token, unit.rendition, named: unit.name, extension: unit.suffix)
            guard let object else { return await unitResponse(request, unit, key: request.path) }
            let fields = NamedObject(key: object.key, size: object.size).fields
            let media = CachedMedia(
                token: unit.token,
                representation: Representation(size: 0, entityTag: EntityTag(strong: object.entityTag)),
                headers: headers(.immutable, type: unit.type(in: object.container)).merging(fields),
                body: .bytes([]), mark: object.mark,
                isPermitted: { [keys] in keys.isQuicklyPermitted(unit.token) })
            cache.store(media, under: key)
            note(object.mark, media.representation, request: request)
            return media.response(to: request)
        } catch {
            return error.mediaProblem(unit.token).response
        }
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var fields = self
        for field in others { fields.append(field) }
        return fields
    }
}
