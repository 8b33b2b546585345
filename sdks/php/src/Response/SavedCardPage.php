<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of saved cards. */
final readonly class SavedCardPage
{
    /**
     * @param list<SavedCard> $savedCards
     * @param ?string $nextCursor Null on the last page. A page before it may be empty.
     */
    private function __construct(
        public array $savedCards,
        public ?string $nextCursor,
    ) {
    }

    public static function read(Wire $body): self
    {
        return new self(
            $body->list('saved-cards', SavedCard::read(...)),
            $body->nullableText('next-cursor'),
        );
    }
}
