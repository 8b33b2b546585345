<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A notification of a payment to the shop. */
final readonly class PaymentNotification
{
    /**
     * @param ?string $refundId The refund that changed; null if the payment itself did.
     * @param string $state `waiting`, `waiting-for-search`, `held` or `done`.
     */
    private function __construct(
        public string $status,
        public ?string $refundId,
        public string $state,
        public int $attempts,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $dateLastAttempt,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('status'),
            $wire->optionalText('refund-id'),
            $wire->text('state'),
            $wire->whole('attempts'),
            $wire->date('date-created'),
            $wire->optionalDate('date-last-attempt'),
        );
    }
}
