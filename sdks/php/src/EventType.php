<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** Types of events. A later release may add others. */
final class EventType
{
    public const PAYMENT_UNDER_REVIEW = 'payment.under-review';
    public const PAYMENT_AUTHORIZED = 'payment.authorized';
    public const PAYMENT_CAPTURE_DUE = 'payment.capture-due';
    public const PAYMENT_COMPLETED = 'payment.completed';
    public const PAYMENT_CANCELLED = 'payment.cancelled';
    public const CHARGEBACK_OPENED = 'chargeback.opened';
    public const CHARGEBACK_REVERSED = 'chargeback.reversed';
    public const REFUND_PROCESSED = 'refund.processed';
    public const REFUND_REJECTED = 'refund.rejected';
    public const SAVED_CARD_DELETED = 'saved-card.deleted';
    public const LINK_PAID = 'link.paid';

    /** @internal */
    public const ALL = [
        self::PAYMENT_UNDER_REVIEW,
        self::PAYMENT_AUTHORIZED,
        self::PAYMENT_CAPTURE_DUE,
        self::PAYMENT_COMPLETED,
        self::PAYMENT_CANCELLED,
        self::CHARGEBACK_OPENED,
        self::CHARGEBACK_REVERSED,
        self::REFUND_PROCESSED,
        self::REFUND_REJECTED,
        self::SAVED_CARD_DELETED,
        self::LINK_PAID,
    ];
}
