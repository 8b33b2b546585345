<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The card of a payment. */
final readonly class PaymentCard
{
    /**
     * @param ?string $savedCard The code of the card that this payment saved.
     * @param string $interestAmount Reais as decimal text: `2.98`.
     * @param ?PaymentAcquirer $acquirer Null if no acquirer was asked, as in a sandbox without an account.
     * @param ?bool $liabilityShift True if the issuer is liable for fraud; null without 3-D Secure.
     * @param ?string $eci `05`, by the brand's table; null without 3-D Secure.
     * @param ?bool $hasNetworkIds True if later charges can name this one to the brand; null if that is unknown.
     */
    private function __construct(
        public ?string $brand,
        public ?string $bin,
        public ?string $lastFour,
        public ?string $savedCard,
        public string $interestAmount,
        public ?PaymentAcquirer $acquirer,
        public ?bool $liabilityShift,
        public ?string $eci,
        public ?bool $hasNetworkIds,
        public ?Decline $decline,
    ) {
    }

    public static function read(?Wire $wire): ?self
    {
        return $wire === null ? null : new self(
            $wire->optionalText('brand'),
            $wire->optionalText('bin'),
            $wire->optionalText('last-four'),
            $wire->optionalText('saved-card'),
            $wire->amount('interest-amount'),
            PaymentAcquirer::read($wire->optionalObject('acquirer')),
            $wire->optionalFlag('liability-shift'),
            $wire->optionalText('eci'),
            $wire->optionalFlag('has-network-ids'),
            Decline::read($wire->optionalObject('decline')),
        );
    }
}
