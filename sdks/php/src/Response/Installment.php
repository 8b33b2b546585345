<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A way to pay an amount in parts. */
final readonly class Installment
{
    private function __construct(
        public int $quantity,
        public float $totalAmount,
        public float $installmentAmount,
        public bool $interestFree,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->whole('quantity'),
            $wire->number('totalAmount'),
            $wire->number('installmentAmount'),
            $wire->flag('interestFree'),
        );
    }
}
