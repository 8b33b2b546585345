<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;
use Cofre\Merchant\TransactionStatus;

/** Filters of the list of payments; all must match. */
final readonly class PaymentQuery implements \JsonSerializable
{
    use WireFields;

    /** @internal */
    public const METHODS = ['credit-card', 'pix', 'boleto', 'e-wallet'];

    public ?Amount $amount;

    /**
     * @param ?string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param ?string $method `credit-card`, `pix`, `boleto` or `e-wallet`.
     * @param ?string $reference The shop's own complete reference.
     * @param int|string|null $amount Exactly this amount, without interest, as {@see Amount::of()} accepts it.
     * @param ?\DateTimeInterface $createdUntil Not included.
     * @param ?int $limit Payments of a page, 1 to 100; default: 25.
     * @param ?string $cursor `nextCursor` of the page before; null begins with the first page.
     */
    public function __construct(
        public ?string $status = null,
        public ?string $method = null,
        public ?string $reference = null,
        int|string|null $amount = null,
        public ?\DateTimeInterface $createdFrom = null,
        public ?\DateTimeInterface $createdUntil = null,
        public ?int $limit = null,
        public ?string $cursor = null,
    ) {
        Connection::requireChoice('status', [...TransactionStatus::ALL, TransactionStatus::AUTHORIZED], $status);
        Connection::requireChoice('method', self::METHODS, $method);
        $this->amount = $amount === null ? null : Amount::of($amount);
    }
}
