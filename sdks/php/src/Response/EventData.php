<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The codes and amounts of an event. Its type decides which of them it has; the others are null. */
final readonly class EventData
{
    /**
     * @param ?string $reason Why a payment ended unpaid: `declined`, `cancelled`, `expired`, `not-paid`, `capture-failed`, `authorization-expired` or `voided`.
     * @param ?string $declineReason Of a declined card.
     * @param ?RefundSummary $refund Without its metadata.
     * @param ?string $savedCard The deleted card's code.
     * @param ?string $paymentLink The link's code.
     */
    private function __construct(
        public ?EventPayment $payment,
        public ?string $reason,
        public ?string $declineReason,
        public ?RefundSummary $refund,
        public ?string $savedCard,
        public ?string $paymentLink,
    ) {
    }

    public static function read(Wire $wire): self
    {
        $refund = $wire->optionalObject('refund');
        return new self(
            EventPayment::read($wire->optionalObject('payment')),
            $wire->optionalText('reason'),
            $wire->optionalText('decline-reason'),
            $refund === null ? null : RefundSummary::read($refund),
            $wire->optionalObject('saved-card')?->text('code'),
            $wire->optionalObject('payment-link')?->text('code'),
        );
    }
}
