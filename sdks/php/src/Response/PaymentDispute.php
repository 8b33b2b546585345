<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A step of a dispute, as the acquirer reported it. */
final readonly class PaymentDispute
{
    /**
     * @param string $kind `announced`, `charged-back`, `reversed` or `capture-failed`.
     * @param ?string $amount Reais as decimal text: `42.50`.
     * @param ?string $reason As the acquirer words it.
     */
    private function __construct(
        public string $kind,
        public ?string $amount,
        public ?string $reason,
        public \DateTimeImmutable $date,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('kind'),
            $wire->optionalAmount('amount'),
            $wire->optionalText('reason'),
            $wire->date('date'),
        );
    }
}
