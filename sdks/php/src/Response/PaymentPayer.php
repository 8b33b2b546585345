<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The payer of a payment. */
final readonly class PaymentPayer
{
    private function __construct(
        public string $name,
        public string $document,
        public string $email,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        return $wire === null ? null : new self(
            $wire->text('name'),
            $wire->text('document'),
            $wire->text('email'),
        );
    }
}
