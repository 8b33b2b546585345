<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** Money to be returned: the body of `POST /refunds`. */
final readonly class CreateRefund implements \JsonSerializable
{
    use WireFields;

    /** @internal */
    public const FIELDS = ['transaction-id', 'notify-url', 'amount', 'reference', 'test-mode', 'metadata'];

    public ?Amount $amount;

    /**
     * @param string $transactionId The service's transaction code.
     * @param ?string $notifyUrl Receives the refund notification; null if the store has a URL for
     *   it.
     * @param int|string|Omitted $amount In reais, as {@see Amount::of()} accepts them; default: the whole
     *   transaction. Null is a TypeError.
     * @param ?string $reference The shop's own identifier, up to 64 characters; several refunds may
     *   have the same. Null derives one from the idempotency key.
     * @param ?int $testMode 1 refunds a sandbox transaction through the production address.
     * @param ?array<string, string> $metadata Your own names and texts, as those of an order.
     */
    public function __construct(
        public string $transactionId,
        public ?string $notifyUrl = null,
        int|string|Omitted $amount = Omitted::Argument,
        public ?string $reference = null,
        public ?int $testMode = null,
        public ?array $metadata = null,
    ) {
        Connection::requireChoice('testMode', [0, 1], $testMode);
        $this->amount = $amount instanceof Omitted ? null : Amount::of($amount);
    }
}
