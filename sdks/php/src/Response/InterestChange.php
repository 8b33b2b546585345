<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The terms from a given time on, for a brand or for all others. */
final readonly class InterestChange
{
    /**
     * @param ?string $brand Null for all brands without their own terms.
     * @param ?InterestTerms $terms Null if the store's own terms end.
     */
    private function __construct(
        public ?string $brand,
        public ?InterestTerms $terms,
        public \DateTimeImmutable $from,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->optionalText('brand'),
            Wire::lenient(static fn (): InterestTerms => InterestTerms::read($wire), 'monthly-rate-percent'),
            $wire->date('from'),
        );
    }
}
