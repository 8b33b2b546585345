<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A card that was to be saved without a charge. */
final readonly class CheckedCard
{
    /** @param ?SavedCard $savedCard Null if it was declined. */
    private function __construct(public ?SavedCard $savedCard, public ?Decline $decline)
    {
    }

    public static function read(Wire $body): self
    {
        $saved = $body->optionalObject('saved-card');
        return new self(
            $saved === null ? null : SavedCard::read($saved),
            Decline::read($body->optionalObject('decline')),
        );
    }
}
