<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Required if an item of the cart is physical. */
final readonly class Shipping implements \JsonSerializable
{
    use WireFields;

    public Amount $cost;

    /** @param int|string $cost In reais, as {@see Amount::of()} accepts them. */
    public function __construct(int|string $cost, public Address $address)
    {
        $this->cost = Amount::of($cost, 'cost');
    }
}
