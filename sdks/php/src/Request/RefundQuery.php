<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** Filters of the list of refunds; all must match. */
final readonly class RefundQuery implements \JsonSerializable
{
    use WireFields;

    /**
     * @param ?string $status `PROCESSING`, `PROCESSED` or `REJECTED`.
     * @param ?string $transactionCode The refunded transaction.
     * @param ?\DateTimeInterface $createdUntil Not included.
     * @param ?int $limit Refunds of a page, 1 to 100; default: 25.
     * @param ?string $cursor `nextCursor` of the page before; null begins with the first page.
     */
    public function __construct(
        public ?string $status = null,
        public ?string $transactionCode = null,
        public ?\DateTimeInterface $createdFrom = null,
        public ?\DateTimeInterface $createdUntil = null,
        public ?int $limit = null,
        public ?string $cursor = null,
    ) {
        Connection::requireChoice('status', ['PROCESSING', 'PROCESSED', 'REJECTED'], $status);
    }
}
