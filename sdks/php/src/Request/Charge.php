<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The one charge of a transaction; its amount is shipping plus cart in reais, without interest. */
final readonly class Charge implements \JsonSerializable
{
    /**
     * @param array<string, string> $paymentMethod
     * @param array<string, mixed> $paymentInfo
     */
    private function __construct(
        private Amount $amount,
        private array $paymentMethod,
        private array $paymentInfo = [],
    ) {
    }

    public static function pix(int|string $amount): self
    {
        return new self(Amount::of($amount), ['type' => 'eft', 'sub-type' => 'pix']);
    }

    public static function boleto(int|string $amount): self
    {
        return new self(Amount::of($amount), ['type' => 'postpay', 'sub-type' => 'boleto']);
    }

    /** @param string $wallet The wallet's identifier: `paypal`. */
    public static function wallet(int|string $amount, string $wallet): self
    {
        return new self(Amount::of($amount), ['type' => 'e-wallet', 'sub-type' => $wallet]);
    }

    /** @param bool $capture False only authorizes the card: capture the payment later, or cancel it. */
    public static function card(
        int|string $amount,
        Card $card,
        int $installments = 1,
        ?ThreeDSecure $threeDSecure = null,
        bool $capture = true,
    ): self {
        $info = ['installments' => $installments] + $card->jsonSerialize();
        if ($threeDSecure !== null) {
            $info['three-d-secure'] = $threeDSecure;
        }
        if (!$capture) {
            $info['capture'] = false;
        }
        return new self(Amount::of($amount), ['type' => 'credit-card'], $info);
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $charge = [
            'amount' => $this->amount,
            'currency' => 'BRL',
            'payment-method' => $this->paymentMethod,
        ];
        return $this->paymentInfo === [] ? $charge : $charge + ['payment-info' => $this->paymentInfo];
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['amount' => (string) $this->amount, 'paymentMethod' => $this->paymentMethod];
    }
}
