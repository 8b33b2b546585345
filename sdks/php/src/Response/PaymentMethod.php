<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A saved card. */
final readonly class PaymentMethod
{
    /**
     * @param string $code Pays instead of the card.
     * @param string $maskedNumber Asterisks followed by the last four digits.
     * @param string $expirationDate `YYYY-MM`
     */
    private function __construct(
        public string $code,
        public string $brand,
        public string $maskedNumber,
        public string $expirationDate,
        public \DateTimeImmutable $dateCreated,
    ) {
    }

    public static function read(Wire $wire): self
    {
        $card = $wire->object('credit-card');
        return new self(
            $wire->text('code'),
            $card->text('brand'),
            $card->text('masked-number'),
            $card->text('expiration-date'),
            $wire->date('date-created'),
        );
    }
}
