<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** One line of the cart. */
final readonly class CartItem implements \JsonSerializable
{
    use WireFields;

    public float $unitPrice;

    /** @param float|string $unitPrice In reais; may have more than two decimals. */
    public function __construct(
        public string $description,
        float|string $unitPrice,
        public ItemType $type,
        public int $quantity = 1,
        public ?string $category = null,
    ) {
        $this->unitPrice = Amount::number($unitPrice);
    }
}
