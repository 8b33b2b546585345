<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A line of a payment in the settlement files. */
final readonly class PaymentSettlement
{
    /**
     * @param string $gross Reais as decimal text, as are the next two: `42.50`, `-0.45`.
     * @param string $datePaidOut `YYYY-MM-DD`
     */
    private function __construct(
        public string $kind,
        public string $result,
        public ?int $installment,
        public string $gross,
        public string $fee,
        public string $net,
        public string $datePaidOut,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('kind'),
            $wire->text('result'),
            $wire->optionalWhole('installment'),
            $wire->amount('gross'),
            $wire->amount('fee'),
            $wire->amount('net'),
            $wire->text('date-paid-out'),
        );
    }
}
