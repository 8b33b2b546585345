<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of payments. */
final readonly class PaymentPage
{
    /**
     * @param list<PaymentSummary> $payments
     * @param ?string $nextCursor Null on the last page. A page before it may be empty.
     */
    private function __construct(
        public array $payments,
        public ?string $nextCursor,
    ) {
    }

    public static function read(Wire $body): self
    {
        return new self(
            $body->list('payments', PaymentSummary::read(...)),
            $body->nullableText('next-cursor'),
        );
    }
}
