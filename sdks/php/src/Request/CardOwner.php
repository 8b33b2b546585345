<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The owner of a card that is saved without a charge. */
final readonly class CardOwner implements \JsonSerializable
{
    use WireFields;

    /** @param string $ip The address of the payer's browser, by which checks of cards are limited. */
    public function __construct(
        public string $name,
        public Document $document,
        public string $email,
        public string $ip,
    ) {
    }
}
