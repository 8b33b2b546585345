<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A transaction made by a payment link. */
final readonly class PaymentLinkTry
{
    /**
     * @param string $reference The link's reference, `-` and a number.
     * @param string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     */
    private function __construct(
        public string $transactionCode,
        public string $reference,
        public string $method,
        public string $status,
        public \DateTimeImmutable $dateCreated,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->identifier('transaction-code'),
            $wire->text('reference'),
            $wire->text('method'),
            $wire->text('status'),
            $wire->date('date-created'),
        );
    }
}
