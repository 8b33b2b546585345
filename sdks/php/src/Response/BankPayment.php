<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** Money that arrived for a PIX or a boleto. */
final readonly class BankPayment
{
    /**
     * @param string $amount Reais as decimal text: `42.50`.
     * @param string $way `pix`, `line` (a boleto's) or `elsewhere`.
     * @param string $purpose `order`; `other-amount`, `second-payment` or `after-the-end` for a surplus.
     * @param ?string $surplusStatus Of a surplus: `PROCESSING`, `PROCESSED`, `REJECTED`, or `KEPT`; otherwise null.
     */
    private function __construct(
        public string $endToEndId,
        public string $amount,
        public \DateTimeImmutable $datePaid,
        public string $way,
        public string $purpose,
        public ?string $surplusStatus,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('end-to-end-id'),
            $wire->amount('amount'),
            $wire->date('date-paid'),
            $wire->text('way'),
            $wire->text('purpose'),
            $wire->optionalText('surplus-status'),
        );
    }
}
