<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The reason of a declined card; for the shop, not for the shopper. */
final readonly class Decline
{
    /**
     * @param string $reason `insufficient_funds`, …
     * @param ?string $code The issuer's or acquirer's own code, such as 51.
     * @param bool $retryAllowed True if the same card may be tried again.
     * @param ?\DateTimeImmutable $retryDate The earliest time of a retry.
     */
    private function __construct(
        public string $reason,
        public ?string $code,
        public bool $retryAllowed,
        public ?\DateTimeImmutable $retryDate,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        return $wire === null ? null : new self(
            $wire->text('reason'),
            $wire->optionalText('code'),
            $wire->flag('retry-allowed'),
            $wire->optionalDate('retry-date'),
        );
    }
}
