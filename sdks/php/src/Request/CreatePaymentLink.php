<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** A link at which shoppers pay: the body of `POST /payment-links`. */
final readonly class CreatePaymentLink implements \JsonSerializable
{
    use WireFields {
        jsonSerialize as private wireFields;
    }

    /** @internal */
    public const FIELDS = [
        'amount',
        'description',
        'methods',
        'notification-url',
        'reference',
        'usage',
        'installments',
        'expires-at',
        'language',
        'success-url',
        'metadata',
        'capture',
    ];

    public Amount $amount;
    public ?int $installments;
    public ?\DateTimeInterface $expiresAt;

    /**
     * @param int|string $amount In reais, as {@see Amount::of()} accepts them.
     * @param string $description The purpose of the payment: 1 to 200 characters.
     * @param non-empty-list<string> $methods `credit-card`, `pix`, `boleto` and wallets.
     * @param ?string $notificationUrl Null if the store has a URL for it.
     * @param ?string $reference The shop's own identifier, up to 56 of `A-Z a-z 0-9 . _ -`, never used
     *   before. Null derives one from the idempotency key. Each try is a transaction of this reference, `-`
     *   and a number.
     * @param ?string $usage `once` or `many`; default: `once`.
     * @param int|Omitted $installments The largest number of installments of a card; default: 12.
     * @param \DateTimeInterface|Omitted $expiresAt Default: never; null is a TypeError.
     * @param ?string $successUrl The page's link after the payment.
     * @param ?array<string, string> $metadata Your own names and texts, as those of an order: each payment
     *   of the link has them.
     * @param ?bool $capture False, with cards alone, only authorizes: capture each payment later, or cancel it.
     */
    public function __construct(
        int|string $amount,
        public string $description,
        public array $methods,
        public ?string $notificationUrl = null,
        public ?string $reference = null,
        public ?string $usage = null,
        int|Omitted $installments = Omitted::Argument,
        \DateTimeInterface|Omitted $expiresAt = Omitted::Argument,
        public ?string $language = null,
        public ?string $successUrl = null,
        public ?array $metadata = null,
        public ?bool $capture = null,
    ) {
        Connection::requireChoice('usage', ['once', 'many'], $usage);
        Connection::requireChoice('language', CreateTransaction::LANGUAGES, $language);
        $this->amount = Amount::of($amount);
        $this->installments = $installments instanceof Omitted ? null : $installments;
        $this->expiresAt = $expiresAt instanceof Omitted ? null : $expiresAt;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $expiresAt = $this->expiresAt?->format('Y-m-d\TH:i:s.vP');
        return ($expiresAt === null ? [] : ['expires-at' => $expiresAt]) + $this->wireFields();
    }
}
