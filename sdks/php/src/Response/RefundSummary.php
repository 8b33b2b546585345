<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A refund in a list, or of a payment. */
final readonly class RefundSummary
{
    /**
     * @param string $status `PROCESSING`, `PROCESSED` or `REJECTED`.
     * @param string $amount Reais as decimal text: `10.00`.
     * @param string $chargedAmount The refunded part of the charge, with its share of the interest.
     * @param string $origin `store`, or `provider` for a refund that a bank or an acquirer began.
     * @param ?string $nature The bank's reason for returning a PIX, such as `MED_FRAUDE`; null otherwise.
     * @param array<array-key, string> $metadata The shop's own names and texts.
     */
    private function __construct(
        public string $id,
        public string $transactionCode,
        public string $status,
        public string $amount,
        public string $chargedAmount,
        public ?string $reference,
        public string $origin,
        public ?string $nature,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $dateEnded,
        public array $metadata,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->identifier('refund-id'),
            $wire->identifier('transaction-code'),
            $wire->text('status'),
            $wire->amount('amount'),
            $wire->amount('charged-amount'),
            $wire->optionalText('reference'),
            $wire->text('origin'),
            $wire->optionalText('nature'),
            $wire->date('date-created'),
            $wire->optionalDate('date-ended'),
            $wire->optionalTexts('metadata'),
        );
    }
}
