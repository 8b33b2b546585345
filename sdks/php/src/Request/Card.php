<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** The card of a charge. Debug output omits its data. */
final readonly class Card implements \JsonSerializable
{
    /** @param array<string, mixed> $source */
    private function __construct(#[\SensitiveParameter] private array $source)
    {
    }

    /**
     * A card from the browser library.
     * @param bool $save Asks the service to save the card.
     */
    public static function token(#[\SensitiveParameter] string $token, bool $save = false): self
    {
        Connection::requireText('token', $token);
        return new self(['token' => $token] + ($save ? ['save' => true] : []));
    }

    /**
     * A saved card, which only works for the payer e-mail that saved it.
     * @param ?string $securityCodeToken Token of its security code, from the page; never the code itself.
     */
    public static function saved(
        #[\SensitiveParameter] string $code,
        #[\SensitiveParameter] ?string $securityCodeToken = null,
    ): self {
        Connection::requireText('code', $code);
        if ($securityCodeToken === null) {
            return new self(['code' => $code]);
        }
        Connection::requireText('securityCodeToken', $securityCodeToken);
        return new self(['code' => $code, 'security-code-token' => $securityCodeToken]);
    }

    /**
     * For stores that may send a card themselves (PCI DSS level 1 or 2).
     * @param string $expirationDate `YYYY-MM`
     */
    public static function raw(
        #[\SensitiveParameter] string $number,
        #[\SensitiveParameter] string $cvv,
        #[\SensitiveParameter] string $expirationDate,
        bool $save = false,
    ): self {
        $card = ['number' => $number, 'cvv' => $cvv, 'expiration-date' => $expirationDate];
        return new self(['credit-card' => $card] + ($save ? ['save' => true] : []));
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return $this->source;
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['card' => '[secret]'];
    }
}
