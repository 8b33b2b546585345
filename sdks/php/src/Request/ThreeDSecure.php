<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The result of a 3-D Secure server for this payment, for a single use. */
final readonly class ThreeDSecure implements \JsonSerializable
{
    use WireFields;

    /**
     * @param string $version `2.2.0`
     * @param string $eci `05`
     * @param string $cavv 20 bytes in Base64.
     * @param ?string $dsTransactionId The UUID of the directory server's transaction.
     */
    public function __construct(
        public string $version,
        public string $eci,
        #[\SensitiveParameter] public string $cavv,
        public ?string $dsTransactionId = null,
    ) {
    }

    /** @return array<string, ?string> */
    public function __debugInfo(): array
    {
        return ['cavv' => '[secret]'] + get_object_vars($this);
    }
}
