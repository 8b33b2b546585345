<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of payment links. */
final readonly class PaymentLinkPage
{
    /** @param list<PaymentLink> $paymentLinks */
    private function __construct(
        public array $paymentLinks,
        public int $found,
        public int $currentPage,
        public int $totalPages,
    ) {
    }

    public static function read(Wire $body): self
    {
        $metadata = $body->object('metadata');
        return new self(
            $body->list('payment-links', PaymentLink::read(...)),
            (int) $metadata->identifier('found'),
            $metadata->whole('current-page'),
            $metadata->whole('total-pages'),
        );
    }
}
