<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The acquirer's data of a card payment. */
final readonly class PaymentAcquirer
{
    /**
     * @param ?string $cnpj The company's, for fiscal documents; null if it is unknown.
     */
    private function __construct(
        public string $name,
        public ?string $cnpj,
        public PaymentAccount $account,
        public ?string $paymentId,
        public ?string $nsu,
        public ?string $authorizationCode,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        return $wire === null ? null : new self(
            $wire->text('name'),
            $wire->optionalText('cnpj'),
            PaymentAccount::read($wire->object('account')),
            $wire->optionalText('payment-id'),
            $wire->optionalText('nsu'),
            $wire->optionalText('authorization-code'),
        );
    }
}
