<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** One line of the cart. */
final readonly class CartItem implements \JsonSerializable
{
    use WireFields;

    public Amount $unitPrice;

    /** @param int|string $unitPrice In reais, as {@see Amount::of()} accepts them; may have more than two decimals. */
    public function __construct(
        public string $description,
        int|string $unitPrice,
        public ItemType $type,
        public int $quantity = 1,
        public ?string $category = null,
    ) {
        $this->unitPrice = Amount::of($unitPrice, 'unitPrice');
    }
}
