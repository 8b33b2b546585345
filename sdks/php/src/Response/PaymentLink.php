<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A link at which shoppers pay. */
final readonly class PaymentLink
{
    /**
     * @param string $url Send it to the shopper, or redirect the shopper to it.
     * @param string $amount Reais as decimal text: `42.50`.
     * @param string $status `PAYABLE`, `PAID`, `EXPIRED` or `REVOKED`. A later release may add others.
     * @param ?bool $capture False if its payments are authorized, and captured later; null otherwise.
     * @param list<PaymentLinkTry> $tries Newest first; only filled for a single link.
     */
    private function __construct(
        public string $code,
        public string $url,
        public string $reference,
        public string $amount,
        public string $description,
        public string $status,
        public string $usage,
        public ?bool $capture,
        public ?\DateTimeImmutable $expiresAt,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $dateRevoked,
        public array $tries,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('code'),
            $wire->text('url'),
            $wire->text('reference'),
            $wire->amount('amount'),
            $wire->text('description'),
            $wire->text('status'),
            $wire->text('usage'),
            $wire->optionalFlag('capture'),
            $wire->optionalDate('expires-at'),
            $wire->date('date-created'),
            $wire->optionalDate('date-revoked'),
            Wire::lenient(static fn (string $name): array => $wire->list($name, PaymentLinkTry::read(...)), 'tries') ?? [],
        );
    }

    public static function readOne(Wire $body): self
    {
        return self::read($body->object('payment-link'));
    }
}
