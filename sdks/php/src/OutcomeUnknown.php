<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * The outcome of a transaction or refund request is unknown: it may exist, and a card may have been charged. Never
 * start over under a new reference. Send the same request again with this idempotency key within 24 hours, which
 * returns the first response, or search for the reference.
 */
final class OutcomeUnknown extends MerchantError
{
    public function __construct(
        public readonly string $reference,
        public readonly string $idempotencyKey,
        MerchantError $last,
    ) {
        parent::__construct($last->reason, $last->status, $last->errors, $last, $last->origin, $last->cause);
        $this->message = $this->sentence(': the outcome is unknown');
    }
}
