<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A refund of a transaction. */
final readonly class Refund
{
    /**
     * @param string $status `PROCESSING`, `PROCESSED` or `REJECTED`.
     * @param string $amount Reais as decimal text: `10.00`.
     * @param ?\DateTimeImmutable $processingDate Time of the payment.
     * @param ?string $nature The bank's reason for returning a PIX, such as `MED_FRAUDE`; null otherwise.
     */
    private function __construct(
        public string $id,
        public string $status,
        public string $amount,
        public \DateTimeImmutable $date,
        public ?\DateTimeImmutable $processingDate,
        public ?string $reference,
        public ?string $nature,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->identifier('refund-id'),
            $wire->text('refund-status'),
            $wire->text('refund-amount'),
            $wire->date('refund-date'),
            $wire->optionalDate('refund-processing-date'),
            $wire->optionalText('refund-reference'),
            $wire->optionalText('refund-nature'),
        );
    }
}
