import CCurl

extension Transfer {
    /// Ends the transfer, by libcurl's result and the received response.
    func conclude(_ result: CURLcode) {
        guard let handle else { return finish(.other) }
        if let failure {
            return finish(failure.code, underlying: failure.underlying)
        }
        guard result == CURLE_OK, let response else {
            let code = errorCode(result, isRequestSent: handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0)
            return finish(
                code, curlCode: Int(result.rawValue),
                proxy: failedAtProxy(result, handle) ? request.proxy : nil)
        }
        if let expected = response.contentRange?.length, response.status == 206, method != .head,
            expected != bytesReceived
        {
            return finish(.lengthMismatch(expected: expected, received: bytesReceived))
        }
        finish(.success(transferResult(response, handle)))
    }

    private func transferResult(_ response: TransferResponse, _ handle: EasyHandle) -> TransferResult {
        var response = response
        response.redirects = visited
        return TransferResult(
            response: response, bytesReceived: bytesReceived,
            bytesOnWire: handle.offset(CURLINFO_SIZE_DOWNLOAD_T),
            timings: TransferTimings(
                connect: handle.duration(CURLINFO_CONNECT_TIME_T),
                firstByte: handle.duration(CURLINFO_STARTTRANSFER_TIME_T),
                total: handle.duration(CURLINFO_TOTAL_TIME_T)),
            connectionReused: handle.number(CURLINFO_NUM_CONNECTS) == 0)
    }

    /// libcurl's results by meaning (libcurl-errors(3)).
    private func errorCode(_ result: CURLcode, isRequestSent: Bool) -> TransferError.Code {
        switch result {
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_UNSUPPORTED_PROTOCOL: isRequestSent ? .invalidResponse : .unsupportedScheme
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT: .connect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM:
            .tls
        case CURLE_OPERATION_TIMEDOUT: isRequestSent ? .stalled : .timeout
        case CURLE_PARTIAL_FILE: truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            response == nil || redirect != nil ? .connectionLost : truncated
        case CURLE_BAD_CONTENT_ENCODING: .contentEncoding
        case CURLE_FILESIZE_EXCEEDED: .badContentLength
        case CURLE_WEIRD_SERVER_REPLY: .invalidResponse
        // It ended within the header section.
        case CURLE_OK: .connectionLost
        default: .other
        }
    }

    /// Whether no connection to the proxy could be made. Behind a proxy, libcurl connects to nothing else.
    private func failedAtProxy(_ result: CURLcode, _ handle: EasyHandle) -> Bool {
        switch result {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: true
        case CURLE_OPERATION_TIMEDOUT: handle.offset(CURLINFO_CONNECT_TIME_T) == 0
        default: false
        }
    }

    private var truncated: TransferError.Code {
        let expected = response?.contentEncoding == nil ? response?.contentLength : nil
        return .truncated(expected: expected, received: bytesReceived)
    }
}

extension TransferError {
    /// libcurl's number for a failed handshake, which a busy server causes too.
    static let handshakeFailed = Int(CURLE_SSL_CONNECT_ERROR.rawValue)
    static let certificateRefused = Int(CURLE_PEER_FAILED_VERIFICATION.rawValue)
}
