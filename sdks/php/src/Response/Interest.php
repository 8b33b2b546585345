<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** What a store's installments cost. */
final readonly class Interest
{
    /**
     * @param InterestTerms $usual Of stores that have no terms of their own.
     * @param list<InterestChange> $changes In the order in which they were made.
     */
    private function __construct(
        public InterestTerms $usual,
        public array $changes,
    ) {
    }

    public static function readOne(Wire $body): self
    {
        $wire = $body->object('interest');
        return new self(
            InterestTerms::read($wire->object('usual')),
            $wire->list('changes', InterestChange::read(...)),
        );
    }
}
