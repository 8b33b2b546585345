<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * A try that failed.
 * @internal
 */
final class FailedAttempt extends \RuntimeException
{
    public function __construct(public readonly MerchantError $error, public readonly float $retryAfterSeconds = 0.0)
    {
        parent::__construct($error->getMessage(), 0, $error);
    }
}
