<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** An address at which shoppers pay: the body of `POST /payment-links`. */
final readonly class CreatePaymentLink implements \JsonSerializable
{
    use WireFields {
        jsonSerialize as private wireFields;
    }

    public Amount $amount;

    /**
     * @param int|string $amount In reais, as {@see Amount::of()} takes them.
     * @param string $description What is paid: 1 to 200 characters.
     * @param non-empty-list<string> $methods `credit-card`, `pix`, `boleto` and wallets.
     * @param ?string $reference The shop's own identifier, up to 56 of `A-Z a-z 0-9 . _ -`, never used
     *   before. Null makes one of the idempotency key. Each try is a transaction of this reference, `-`
     *   and a number.
     * @param ?string $usage `once` or `many`; `once` when null.
     * @param ?int $installments The most that a card may be charged in; 12 when null.
     * @param ?\DateTimeInterface $expiresAt Never when null.
     * @param ?string $successUrl Where the page leads after the payment.
     */
    public function __construct(
        int|string $amount,
        public string $description,
        public array $methods,
        public string $notificationUrl,
        public ?string $reference = null,
        public ?string $usage = null,
        public ?int $installments = null,
        public ?\DateTimeInterface $expiresAt = null,
        public ?string $language = null,
        public ?string $successUrl = null,
    ) {
        $this->amount = Amount::of($amount);
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $expiresAt = $this->expiresAt?->format('Y-m-d\TH:i:s.vP');
        return ($expiresAt === null ? [] : ['expires-at' => $expiresAt]) + $this->wireFields();
    }
}
