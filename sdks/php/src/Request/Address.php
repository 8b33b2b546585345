<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** A postal address. */
final readonly class Address implements \JsonSerializable
{
    use WireFields;

    /**
     * @param string $state Two letters: `SP`.
     * @param string $zipCode Eight digits, without the dash.
     * @param string $country ISO 3166-1 alpha-2.
     */
    public function __construct(
        public string $street,
        public string $number,
        public string $district,
        public string $city,
        public string $state,
        public string $zipCode,
        public ?string $complement = null,
        public string $country = 'BR',
    ) {
    }
}
