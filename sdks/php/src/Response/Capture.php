<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The result of a capture. */
final readonly class Capture
{
    /** @param string $result `captured`, or `in-process` while the acquirer has not answered. */
    private function __construct(public string $result, public PaymentSummary $payment)
    {
    }

    public static function read(Wire $body): self
    {
        return new self($body->text('capture'), PaymentSummary::read($body->object('payment')));
    }
}
