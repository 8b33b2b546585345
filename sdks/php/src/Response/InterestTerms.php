<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The interest of installments. */
final readonly class InterestTerms
{
    /** @param float $monthlyRatePercent Interest per month in percent: 2.99. */
    private function __construct(
        public float $monthlyRatePercent,
        public int $interestFree,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self($wire->number('monthly-rate-percent'), $wire->whole('interest-free'));
    }
}
