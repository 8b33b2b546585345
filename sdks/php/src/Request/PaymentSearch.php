<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;
use Cofre\Merchant\TransactionStatus;

/** A search for a payer's payments, by e-mail, document or both: the body of `POST /payments/searches`. */
final readonly class PaymentSearch implements \JsonSerializable
{
    use WireFields;

    public ?Amount $amount;

    /**
     * @param ?string $payerDocument CPF or CNPJ, without punctuation.
     * @param ?string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param ?string $method `credit-card`, `pix`, `boleto` or `e-wallet`.
     * @param ?string $reference The shop's own complete reference.
     * @param int|string|null $amount Exactly this amount, without interest, as {@see Amount::of()} accepts it.
     * @param ?\DateTimeInterface $createdUntil Not included.
     * @param ?int $limit Payments of a page, 1 to 100; default: 25.
     * @param ?string $cursor `nextCursor` of the page before; null begins with the first page.
     * @param ?array<string, string> $metadata At most five keys; a payment has them all. With it, no payer is needed.
     */
    public function __construct(
        public ?string $payerEmail = null,
        public ?string $payerDocument = null,
        public ?string $status = null,
        public ?string $method = null,
        public ?string $reference = null,
        int|string|null $amount = null,
        public ?\DateTimeInterface $createdFrom = null,
        public ?\DateTimeInterface $createdUntil = null,
        public ?int $limit = null,
        public ?string $cursor = null,
        public ?array $metadata = null,
    ) {
        Connection::requireChoice('status', TransactionStatus::ALL, $status);
        Connection::requireChoice('method', PaymentQuery::METHODS, $method);
        $this->amount = $amount === null ? null : Amount::of($amount);
    }
}
