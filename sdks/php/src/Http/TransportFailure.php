<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** No response came. */
final class TransportFailure extends \RuntimeException
{
    /** @param string $reason Text for error messages, such as `Couldn't connect to server`: no address, no secret. */
    public function __construct(
        public readonly bool $isTimeOut = false,
        ?\Throwable $previous = null,
        public readonly string $reason = '',
    ) {
        parent::__construct($isTimeOut ? 'no response in time' : 'no response', 0, $previous);
    }
}
