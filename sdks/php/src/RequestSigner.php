<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * Signs requests with the secret of a store.
 * @internal
 */
final class RequestSigner
{
    /**
     * The specification's signature (section 5).
     * @param string $target Path with its query, exactly as sent.
     */
    public static function authorization(
        string $storeId,
        #[\SensitiveParameter] string $secret,
        string $target,
        #[\SensitiveParameter] ?string $body,
    ): string {
        $isRefund = preg_match('~^/refunds/?(\?|$)~D', $target) === 1;
        $digest = $body === null ? '' : md5($body);
        $spelled = $isRefund ? $digest : base64_encode($digest);
        return $storeId . ':' . hash_hmac('sha256', $target . $spelled, $secret);
    }

    /**
     * HTTP Message Signatures (RFC 9421) over the digest of the body (RFC 9530).
     * @return array<string, string> Headers.
     */
    public static function messageSignature(
        string $storeId,
        #[\SensitiveParameter] string $secret,
        #[\SensitiveParameter] SignedParts $parts,
    ): array {
        $covered = ['@method' => $parts->method, '@target-uri' => $parts->uri];
        $headers = [];
        if ($parts->body !== null) {
            $digest = 'sha-256=:' . base64_encode(hash('sha256', $parts->body, true)) . ':';
            $headers['Content-Digest'] = $digest;
            $covered['content-digest'] = $digest;
        }
        if ($parts->idempotencyKey !== null) {
            $covered['idempotency-key'] = $parts->idempotencyKey;
        }
        $names = implode(' ', array_map(static fn (string $name) => "\"$name\"", array_keys($covered)));
        $once = $parts->nonce === null ? '' : ";nonce=\"{$parts->nonce}\"";
        $parameters = "($names);created={$parts->created};keyid=\"$storeId\"$once;alg=\"hmac-sha256\"";
        $base = '';
        foreach ($covered as $name => $value) {
            $base .= "\"$name\": $value\n";
        }
        $base .= "\"@signature-params\": $parameters";
        return $headers + [
            'Signature-Input' => "cofre=$parameters",
            'Signature' => 'cofre=:' . base64_encode(hash_hmac('sha256', $base, $secret, true)) . ':',
        ];
    }
}
