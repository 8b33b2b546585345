<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The bank's data of a PIX or a boleto. */
final readonly class BankCharge
{
    /**
     * @param string $name The txid of a PIX, or Cofre's name of a boleto.
     * @param ?string $dueDate `YYYY-MM-DD`
     * @param list<BankPayment> $payments
     */
    private function __construct(
        public PaymentAccount $account,
        public string $name,
        public ?string $ourNumber,
        public ?string $dueDate,
        public ?\DateTimeImmutable $dateIssued,
        public array $payments,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        return $wire === null ? null : new self(
            PaymentAccount::read($wire->object('account')),
            $wire->text('name'),
            $wire->optionalText('our-number'),
            $wire->optionalText('due-date'),
            $wire->optionalDate('date-issued'),
            $wire->list('payments', BankPayment::read(...)),
        );
    }
}
