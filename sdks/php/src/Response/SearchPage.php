<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of a search. */
final readonly class SearchPage
{
    /** @param list<FoundTransaction> $transactions */
    private function __construct(
        public array $transactions,
        public int $found,
        public int $currentPage,
        public int $totalPages,
    ) {
    }

    public static function read(Wire $body): self
    {
        $metadata = $body->object('metadata');
        return new self(
            $body->object('transaction-result')->list('transactions', FoundTransaction::read(...)),
            (int) $metadata->identifier('found'),
            $metadata->whole('current-page'),
            $metadata->whole('total-pages'),
        );
    }
}
