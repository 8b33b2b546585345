<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** No response came. */
final class TransportFailure extends \RuntimeException
{
    public function __construct(public readonly bool $isTimeOut = false, ?\Throwable $previous = null)
    {
        parent::__construct($isTimeOut ? 'no response in time' : 'no response', 0, $previous);
    }
}
