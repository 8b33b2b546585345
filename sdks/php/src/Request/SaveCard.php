<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** A card to save without a charge: the body of `POST /saved-cards`. */
final readonly class SaveCard implements \JsonSerializable
{
    use WireFields;

    /** @internal */
    public const FIELDS = ['token', 'payer'];

    /** @param string $token A direct token of the browser's library. */
    public function __construct(
        #[\SensitiveParameter] public string $token,
        public CardOwner $payer,
    ) {
    }
}
