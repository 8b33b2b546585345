<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A payer's saved card. */
final readonly class SavedCard
{
    /**
     * @param string $expirationDate `YYYY-MM`.
     * @param bool $chargeable True if an order may charge it now.
     */
    private function __construct(
        public string $code,
        public string $brand,
        public string $lastFour,
        public string $expirationDate,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $dateLastUsed,
        public bool $chargeable,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('code'),
            $wire->text('brand'),
            $wire->text('last-four'),
            $wire->text('expiration-date'),
            $wire->date('date-created'),
            $wire->optionalDate('date-last-used'),
            $wire->flag('chargeable'),
        );
    }

    public static function readOne(Wire $body): self
    {
        return self::read($body->object('saved-card'));
    }
}
