<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;
use Cofre\Merchant\TransactionStatus;

/**
 * Filters of a search: the reference, or at least one initial date, which its final date needs. Two
 * dates are at most 30 days apart.
 */
final readonly class SearchQuery implements \JsonSerializable
{
    use WireFields;

    /**
     * @param ?string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param ?int $page The first page to read, from 1.
     * @param ?int $maxPageResults At most 10, which is also the default.
     */
    public function __construct(
        public ?string $reference = null,
        public ?\DateTimeInterface $initialOrderDate = null,
        public ?\DateTimeInterface $finalOrderDate = null,
        public ?\DateTimeInterface $initialPaymentDate = null,
        public ?\DateTimeInterface $finalPaymentDate = null,
        public ?\DateTimeInterface $initialLastStatusChangeDate = null,
        public ?\DateTimeInterface $finalLastStatusChangeDate = null,
        public ?string $status = null,
        public ?int $page = null,
        public ?int $maxPageResults = null,
    ) {
        Connection::requireChoice('status', TransactionStatus::ALL, $status);
    }
}
