<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The store's account with a bank or an acquirer. */
final readonly class PaymentAccount
{
    private function __construct(
        public string $id,
        public string $name,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('id'),
            $wire->text('name'),
        );
    }
}
