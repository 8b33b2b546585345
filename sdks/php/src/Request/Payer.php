<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The payer. Cards need birth date (for a CPF) and phone; all except a direct token need the IP. */
final readonly class Payer implements \JsonSerializable
{
    use WireFields;

    /**
     * @param string $name At least two words, each separated by one space.
     * @param ?string $birthDate `YYYY-MM-DD`.
     * @param ?string $phoneNumber International, with the plus: `+5511987654321`.
     * @param ?Address $address Required if an item of the cart is physical.
     */
    public function __construct(
        public string $name,
        public string $email,
        public Document $document,
        public ?string $birthDate = null,
        public ?string $phoneNumber = null,
        public ?string $ip = null,
        public ?Address $address = null,
    ) {
    }
}
