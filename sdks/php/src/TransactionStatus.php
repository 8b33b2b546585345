<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** Statuses in search results. A later release may add others. */
final class TransactionStatus
{
    public const PENDING = 'PENDING';
    public const UNDER_REVIEW = 'UNDER-REVIEW';
    public const COMPLETE = 'COMPLETE';
    public const CANCELLED = 'CANCELLED';
    public const EXPIRED = 'EXPIRED';
    public const NOT_PAID = 'NOT-PAID';
    public const REFUNDED = 'REFUNDED';
    public const CHARGEBACK = 'CHARGEBACK';
    /** Waits for its capture: only in lists of payments. Search results and notifications have PENDING. */
    public const AUTHORIZED = 'AUTHORIZED';

    /** @internal */
    public const ALL = [
        self::PENDING,
        self::UNDER_REVIEW,
        self::COMPLETE,
        self::CANCELLED,
        self::EXPIRED,
        self::NOT_PAID,
        self::REFUNDED,
        self::CHARGEBACK,
    ];
}
