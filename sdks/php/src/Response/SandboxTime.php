<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The sandbox's time. */
final readonly class SandboxTime
{
    /** @param int $aheadSeconds The sandbox's lead over its machine's clock. */
    private function __construct(public \DateTimeImmutable $now, public int $aheadSeconds)
    {
    }

    public static function read(Wire $body): self
    {
        return new self($body->date('now'), $body->whole('ahead-seconds'));
    }
}
