<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The facts in the first digits of a card. */
final readonly class Bin
{
    private function __construct(
        public int $number,
        public string $brand,
        public int $cvvSize,
        public bool $expirable,
        public bool $installment,
    ) {
    }

    public static function read(Wire $body): self
    {
        $wire = $body->object('bin');
        return new self(
            $wire->whole('number'),
            $wire->text('brand'),
            $wire->whole('cvvSize'),
            $wire->flag('expirable'),
            $wire->flag('installment'),
        );
    }
}
