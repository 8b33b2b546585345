<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** What holds from a time on, of a brand or of all others. */
final readonly class InterestChange
{
    /**
     * @param ?string $brand Null for all brands without terms of their own.
     * @param ?InterestTerms $terms Null where terms of the store's own end.
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
