<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The interest of a store's installments. */
final readonly class Interest
{
    /**
     * @param InterestTerms $usual Terms of stores without their own.
     * @param list<InterestChange> $changes In order of creation.
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
