<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A payment in an event: nothing of the payer. */
final readonly class EventPayment
{
    /**
     * @param string $reference The shop's own identifier.
     * @param string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param string $method `credit-card`, `pix`, `boleto` or `e-wallet`. A later release may add others.
     * @param ?string $methodName The brand of a card, or the wallet.
     * @param string $amount Reais as decimal text, as is the next one: `42.50`.
     * @param string $chargedAmount With interest.
     * @param ?string $capturedAmount The captured part of the amount; null unless it was authorized first.
     * @param ?\DateTimeImmutable $captureBefore Until then it can be captured; null unless it is authorized.
     */
    private function __construct(
        public string $code,
        public string $reference,
        public string $status,
        public string $method,
        public ?string $methodName,
        public string $amount,
        public string $chargedAmount,
        public ?string $capturedAmount,
        public int $installments,
        public ?\DateTimeImmutable $captureBefore,
        public \DateTimeImmutable $dateCreated,
        public \DateTimeImmutable $dateChanged,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        if ($wire === null) {
            return null;
        }
        return new self(
            $wire->identifier('code'),
            $wire->text('reference'),
            $wire->text('status'),
            $wire->text('method'),
            $wire->optionalText('method-name'),
            $wire->amount('amount'),
            $wire->amount('charged-amount'),
            $wire->optionalAmount('captured-amount'),
            $wire->whole('installments'),
            $wire->optionalDate('capture-before'),
            $wire->date('date-created'),
            $wire->date('date-changed'),
        );
    }
}
