<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;
use Cofre\Merchant\EventType;

/** Filters of the list of events; all must match. */
final readonly class EventQuery implements \JsonSerializable
{
    use WireFields;

    /**
     * @param ?string $type One of {@see \Cofre\Merchant\EventType}.
     * @param ?string $transactionCode The payment that the events belong to.
     * @param ?\DateTimeInterface $createdUntil Not included.
     * @param ?int $limit Events of a page, 1 to 100; default: 25.
     * @param ?string $cursor `nextCursor` of the page before; null begins with the first page.
     */
    public function __construct(
        public ?string $type = null,
        public ?string $transactionCode = null,
        public ?\DateTimeInterface $createdFrom = null,
        public ?\DateTimeInterface $createdUntil = null,
        public ?int $limit = null,
        public ?string $cursor = null,
    ) {
        Connection::requireChoice('type', EventType::ALL, $type);
    }
}
