<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A way to pay an amount in parts. */
final readonly class Installment
{
    /** Amounts are reais as decimal text: `42.50`. */
    private function __construct(
        public int $quantity,
        public string $totalAmount,
        public string $installmentAmount,
        public bool $interestFree,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->whole('quantity'),
            $wire->amount('totalAmount'),
            $wire->amount('installmentAmount'),
            $wire->flag('interestFree'),
        );
    }
}
