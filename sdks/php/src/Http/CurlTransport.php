<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** Sends with ext-curl, over reused connections. */
final class CurlTransport implements Transport
{
    private const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

    private ?\CurlHandle $handle = null;

    public function send(#[\SensitiveParameter] HttpRequest $request): HttpResponse
    {
        $this->handle ??= curl_init() ?: throw new TransportFailure();
        // Keeps the connection, and clears the previous request.
        curl_reset($this->handle);
        $headers = [];
        $body = '';
        curl_setopt_array($this->handle, self::options($request) + [
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($_, string $part) use (&$body): int {
                $body .= $part;
                return strlen($body) > self::RESPONSE_BYTES_MAX ? 0 : strlen($part);
            },
        ]);
        if (curl_exec($this->handle) === false) {
            $number = curl_errno($this->handle);
            throw new TransportFailure($number === CURLE_OPERATION_TIMEDOUT, reason: curl_strerror($number) ?? '');
        }
        return new HttpResponse(curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** @return array<int, mixed> */
    private static function options(HttpRequest $request): array
    {
        // Without this empty header, curl waits a second for a 100 Continue that never comes.
        $headers = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $headers[] = "$name: $value";
        }
        return [
            CURLOPT_URL => $request->uri,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_TIMEOUT_MS => (int) ceil($request->timeoutSeconds * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
        ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]);
    }
}
