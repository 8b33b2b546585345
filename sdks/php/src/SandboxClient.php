<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Response\SandboxTime;
use Cofre\Merchant\Response\Wire;

/** Controls the sandbox in a shop's own tests. Every method throws {@see MerchantError}. */
final readonly class SandboxClient
{
    public function __construct(private Connection $connection)
    {
    }

    public function clock(): SandboxTime
    {
        return $this->connection->get('/sandbox/clock', SandboxTime::read(...));
    }

    /** Advances the whole sandbox's clock; everything due in between happens now. */
    public function advanceClock(int $seconds): SandboxTime
    {
        return $this->connection->control('/sandbox/clock/advance', ['seconds' => $seconds], SandboxTime::read(...));
    }

    /**
     * Reports a status of a transaction as the bank would, and notifies; the current status notifies again.
     * Error 90202 if the transaction can't get this status next.
     * @param string $status One of {@see TransactionStatus}.
     */
    public function setStatus(string $transactionCode, string $status): string
    {
        Connection::requireChoice('status', TransactionStatus::ALL, $status);
        return $this->report('transactions', $transactionCode, $status);
    }

    /**
     * Ends a refund that is PROCESSING, and notifies.
     * @param 'PROCESSED'|'REJECTED' $outcome
     */
    public function finishRefund(string $refundId, string $outcome): string
    {
        Connection::requireChoice('outcome', ['PROCESSED', 'REJECTED'], $outcome);
        return $this->report('refunds', $refundId, $outcome);
    }

    private function report(string $what, string $id, string $status): string
    {
        $target = "/sandbox/$what/" . rawurlencode($id) . '/status';
        return $this->connection->control($target, ['status' => $status], static fn (Wire $wire) => $wire->text('status'));
    }
}
