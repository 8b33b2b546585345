<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Money to be returned: the body of `POST /refunds`. */
final readonly class CreateRefund implements \JsonSerializable
{
    use WireFields;

    public ?Amount $amount;

    /**
     * @param string $transactionId The service's transaction code.
     * @param string $notifyUrl Receives the refund notification.
     * @param int|string|null $amount In reais, as {@see Amount::of()} takes them; the whole transaction when null.
     * @param ?string $reference The shop's own identifier, up to 64 characters; several refunds may
     *   have the same. Null makes one of the idempotency key.
     * @param ?int $testMode 1 refunds a sandbox transaction through the production address.
     */
    public function __construct(
        public string $transactionId,
        public string $notifyUrl,
        int|string|null $amount = null,
        public ?string $reference = null,
        public ?int $testMode = null,
    ) {
        $this->amount = $amount === null ? null : Amount::of($amount);
    }
}
