<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A transaction at its creation. {@see FoundTransaction} has its later status. */
final readonly class CreatedTransaction
{
    /**
     * @param ?string $amount Reais as decimal text: `42.50`.
     * @param string $status `PAID`, `PENDING` or `REJECTED`.
     * @param ?string $barcodeNumber For a boleto, as is $digitableLine: null until its bank issues it.
     * @param ?string $paymentUrl The page of a boleto or of a wallet.
     * @param ?string $paymentCode The PIX code to copy, also of a boleto that PIX can pay; $qrcodeImage is its picture.
     * @param ?string $authenticationUrl URL at which the card's issuer authenticates the shopper.
     * @param ?\DateTimeImmutable $captureBefore When the store's rule acts on a payment that is captured later; null
     *   for others.
     * @param list<PaymentMethod> $paymentMethods The card, if it was saved.
     */
    private function __construct(
        public string $code,
        public ?string $reference,
        public ?string $amount,
        public string $status,
        public ?string $payerEmail,
        public ?\DateTimeImmutable $dateCreated,
        public ?string $barcodeNumber,
        public ?string $digitableLine,
        public ?string $paymentUrl,
        public ?string $paymentCode,
        public ?string $qrcodeImage,
        public ?string $authenticationUrl,
        public ?\DateTimeImmutable $captureBefore,
        public ?Decline $decline,
        public array $paymentMethods,
    ) {
    }

    /** A wrong member other than code and status never loses a created transaction. */
    public static function read(Wire $body): self
    {
        $wire = $body->object('transaction');
        return new self(
            $wire->identifier('code'),
            Wire::lenient($wire->text(...), 'reference'),
            Wire::lenient($wire->amount(...), 'amount'),
            $wire->text('status'),
            Wire::lenient($wire->text(...), 'payer-email'),
            Wire::lenient($wire->date(...), 'date-created'),
            Wire::lenient($wire->text(...), 'barcode-number'),
            Wire::lenient($wire->text(...), 'digitable-line'),
            Wire::lenient($wire->text(...), 'payment-url'),
            Wire::lenient($wire->text(...), 'payment-code'),
            Wire::lenient($wire->text(...), 'qrcode-image'),
            Wire::lenient($wire->text(...), 'authentication-url'),
            Wire::lenient($wire->date(...), 'capture-before'),
            Wire::lenient(static fn (string $name) => Decline::read($wire->optionalObject($name)), 'decline'),
            Wire::lenient(static fn (string $name) => $body->list($name, PaymentMethod::read(...)), 'payment-methods') ?? [],
        );
    }
}
