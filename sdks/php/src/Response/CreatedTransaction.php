<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A transaction as it was created. Its status later is that of {@see FoundTransaction}. */
final readonly class CreatedTransaction
{
    /**
     * @param string $status `PAID`, `PENDING` or `REJECTED`.
     * @param ?string $barcodeNumber Of a boleto, as is $digitableLine.
     * @param ?string $paymentUrl The page of a boleto or of a wallet.
     * @param ?string $paymentCode The PIX code to copy; $qrcodeImage is the address of its picture.
     * @param list<PaymentMethod> $paymentMethods The card, when it was saved.
     */
    private function __construct(
        public string $code,
        public string $reference,
        public float $amount,
        public string $status,
        public string $payerEmail,
        public \DateTimeImmutable $dateCreated,
        public ?string $barcodeNumber,
        public ?string $digitableLine,
        public ?string $paymentUrl,
        public ?string $paymentCode,
        public ?string $qrcodeImage,
        public ?Decline $decline,
        public array $paymentMethods,
    ) {
    }

    public static function read(Wire $body): self
    {
        $wire = $body->object('transaction');
        return new self(
            $wire->identifier('code'),
            $wire->text('reference'),
            $wire->number('amount'),
            $wire->text('status'),
            $wire->text('payer-email'),
            $wire->date('date-created'),
            $wire->optionalText('barcode-number'),
            $wire->optionalText('digitable-line'),
            $wire->optionalText('payment-url'),
            $wire->optionalText('payment-code'),
            $wire->optionalText('qrcode-image'),
            Decline::read($wire->optionalObject('decline')),
            $body->optionalList('payment-methods', PaymentMethod::read(...)),
        );
    }
}
