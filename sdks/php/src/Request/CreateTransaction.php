<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** An order to be paid: the body of `POST /transactions`. */
final readonly class CreateTransaction implements \JsonSerializable
{
    /** @internal */
    public const LANGUAGES = ['pt-BR', 'en-US', 'es-ES', 'pt-PT', 'tr-TR'];

    /**
     * @param non-empty-list<CartItem> $cart
     * @param ?string $reference The shop's own identifier, up to 64 of `A-Z a-z 0-9 . _ -`, never used
     *   before. Null derives one from the idempotency key.
     * @param string $language `pt-BR`, `en-US`, `es-ES`, `pt-PT` or `tr-TR`.
     * @param ?string $successUrl Required for wallets, as is $failUrl.
     * @param ?array<string, string> $metadata Your own names and texts: at most 20 keys of up to 40 of
     *   `A-Z a-z 0-9 . _ -`, each with a text of up to 500 characters.
     */
    public function __construct(
        public string $notificationUrl,
        public Charge $charge,
        public Payer $payer,
        public array $cart,
        public ?Shipping $shipping = null,
        public ?string $reference = null,
        public string $language = 'pt-BR',
        public ?string $successUrl = null,
        public ?string $failUrl = null,
        public ?int $projectNumber = null,
        public bool $gifting = false,
        public ?array $metadata = null,
    ) {
        Connection::requireChoice('language', self::LANGUAGES, $language);
        foreach ($cart as $item) {
            if (!$item instanceof CartItem && !is_array($item)) {
                throw new \TypeError('cart must be a list of CartItem, not ' . get_debug_type($item));
            }
        }
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $transaction = [
            'reference' => $this->reference,
            'project-number' => $this->projectNumber,
            'country' => 'BR',
            'currency' => 'BRL',
            'checkout-type' => 'direct',
            'notification-url' => $this->notificationUrl,
            'language' => $this->language,
            'gifting' => $this->gifting ?: null,
            'redirect-urls' => $this->successUrl === null && $this->failUrl === null
                ? null
                : ['success' => $this->successUrl, 'fail' => $this->failUrl],
            // Keys of digits only would make it a JSON list.
            'metadata' => $this->metadata === null ? null : (object) $this->metadata,
        ];
        $order = [
            'transaction' => array_filter($transaction, static fn ($value) => $value !== null),
            'charge' => [$this->charge],
            'payer' => $this->payer,
            'shipping' => $this->shipping,
            'cart' => $this->cart,
        ];
        return array_filter($order, static fn ($value) => $value !== null);
    }
}
