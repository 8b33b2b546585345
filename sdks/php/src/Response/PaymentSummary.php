<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A payment in a list. */
readonly class PaymentSummary
{
    /**
     * @param string $reference The shop's own identifier.
     * @param string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param string $method `credit-card`, `pix`, `boleto` or `e-wallet`. A later release may add others.
     * @param ?string $methodName The brand of a card, or the wallet.
     * @param string $amount Reais as decimal text, as are the next three: `42.50`.
     * @param string $chargedAmount With interest.
     * @param ?string $capturedAmount The captured part of the amount; null unless it was authorized first.
     * @param ?string $payerEmail Null if the payer's data was erased.
     * @param ?\DateTimeImmutable $captureBefore When the store's rule acts on an AUTHORIZED payment; null for others.
     * @param array<array-key, string> $metadata The shop's own names and texts.
     */
    protected function __construct(
        public string $code,
        public string $reference,
        public string $status,
        public string $method,
        public ?string $methodName,
        public string $amount,
        public string $chargedAmount,
        public ?string $capturedAmount,
        public string $refundedAmount,
        public int $installments,
        public string $description,
        public ?string $payerEmail,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $datePaid,
        public \DateTimeImmutable $dateChanged,
        public ?\DateTimeImmutable $expiresAt,
        public ?\DateTimeImmutable $captureBefore,
        public array $metadata,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->identifier('code'),
            $wire->text('reference'),
            $wire->text('status'),
            $wire->text('method'),
            $wire->optionalText('method-name'),
            $wire->amount('amount'),
            $wire->amount('charged-amount'),
            $wire->optionalAmount('captured-amount'),
            $wire->amount('refunded-amount'),
            $wire->whole('installments'),
            $wire->text('description'),
            $wire->optionalText('payer-email'),
            $wire->date('date-created'),
            $wire->optionalDate('date-paid'),
            $wire->date('date-changed'),
            $wire->optionalDate('expires-at'),
            $wire->optionalDate('capture-before'),
            $wire->optionalTexts('metadata'),
        );
    }
}
