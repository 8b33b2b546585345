<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of refunds. */
final readonly class RefundPage
{
    /**
     * @param list<RefundSummary> $refunds
     * @param ?string $nextCursor Null on the last page. A page before it may be empty.
     */
    private function __construct(
        public array $refunds,
        public ?string $nextCursor,
    ) {
    }

    public static function read(Wire $body): self
    {
        return new self(
            $body->list('refunds', RefundSummary::read(...)),
            $body->nullableText('next-cursor'),
        );
    }
}
