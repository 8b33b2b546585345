<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * The signed parts of a request, and the time.
 * @internal
 */
final readonly class SignedParts
{
    /**
     * @param string $uri Scheme, host, path and query, exactly as sent.
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
