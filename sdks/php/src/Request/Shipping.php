<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Required when an item of the cart is physical. */
final readonly class Shipping implements \JsonSerializable
{
    use WireFields;

    public float $cost;

    /** @param float|string $cost In reais. */
    public function __construct(float|string $cost, public Address $address)
    {
        $this->cost = Amount::number($cost);
    }
}
