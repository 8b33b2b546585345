<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * What of a request is signed, and when.
 * @internal
 */
final readonly class SignedParts
{
    /**
     * @param string $uri Scheme, host, path and query, exactly as they will be sent.
     * @param int $created Seconds since 1970.
     * @param ?string $nonce Never used before; for a POST.
     */
    public function __construct(
        public string $method,
        public string $uri,
        #[\SensitiveParameter] public ?string $body,
        public ?string $idempotencyKey,
        public int $created,
        public ?string $nonce,
    ) {
    }
}
