<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** Filters of the list of payment links. */
final readonly class PaymentLinkQuery implements \JsonSerializable
{
    use WireFields;

    /**
     * @param ?string $status `PAYABLE`, `PAID`, `EXPIRED` or `REVOKED`.
     * @param ?int $page The first page to read, from 1.
     * @param ?int $maxPageResults At most 10, which is also the default.
     */
    public function __construct(
        public ?string $reference = null,
        public ?string $status = null,
        public ?int $page = null,
        public ?int $maxPageResults = null,
    ) {
        Connection::requireChoice('status', ['PAYABLE', 'PAID', 'EXPIRED', 'REVOKED'], $status);
    }
}
