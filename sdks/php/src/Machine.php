<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** This machine's clock and random numbers. */
class Machine
{
    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable();
    }

    /** Monotonic. */
    public function elapsedSeconds(): float
    {
        return hrtime(true) / 1e9;
    }

    public function sleep(float $seconds): void
    {
        usleep((int) ($seconds * 1e6));
    }

    /** @param positive-int $count */
    public function randomBytes(int $count): string
    {
        return random_bytes($count);
    }
}
