<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The result of a cancellation. */
final readonly class Cancellation
{
    /**
     * @param string $result `cancelled`, `paid-meanwhile` if it was paid: it stays paid, or `in-process` while the
     *   acquirer has not answered.
     */
    private function __construct(public string $result, public PaymentSummary $payment)
    {
    }

    public static function read(Wire $body): self
    {
        return new self($body->text('cancellation'), PaymentSummary::read($body->object('payment')));
    }
}
