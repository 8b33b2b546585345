<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A card's brand, and the installments of an amount. */
final readonly class CardLookup
{
    /** @param list<Installment> $installments */
    private function __construct(public Bin $bin, public array $installments)
    {
    }

    public static function read(Wire $body): self
    {
        return new self(Bin::read($body), $body->list('installments', Installment::read(...)));
    }
}
