<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** A search for a payer's saved cards: the body of `POST /saved-cards/searches`. */
final readonly class SavedCardSearch implements \JsonSerializable
{
    use WireFields;

    /**
     * @param ?int $limit Cards of a page, 1 to 100; default: 25.
     * @param ?string $cursor `nextCursor` of the page before; null begins with the first page.
     */
    public function __construct(
        #[\SensitiveParameter] public string $payerEmail,
        public ?int $limit = null,
        public ?string $cursor = null,
    ) {
        Connection::requireText('payerEmail', $payerEmail);
    }
}
