<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A transaction as it was created. Its status later is that of {@see FoundTransaction}. */
final readonly class CreatedTransaction
{
    /**
     * @param ?string $amount Reais as decimal text: `42.50`.
     * @param string $status `PAID`, `PENDING` or `REJECTED`.
     * @param ?string $barcodeNumber Of a boleto, as is $digitableLine: null while its bank issues it.
     * @param ?string $paymentUrl The page of a boleto or of a wallet.
     * @param ?string $paymentCode The PIX code to copy, of a boleto too where PIX pays it; $qrcodeImage is the address of its picture.
     * @param ?string $authenticationUrl Where the shopper goes when a card's bank wants to authenticate its holder.
     * @param list<PaymentMethod> $paymentMethods The card, when it was saved.
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
        public ?Decline $decline,
        public array $paymentMethods,
    ) {
    }

    /** What is created is never lost for what stands beside code and status. */
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
            Wire::lenient(static fn (string $name) => Decline::read($wire->optionalObject($name)), 'decline'),
            Wire::lenient(static fn (string $name) => $body->list($name, PaymentMethod::read(...)), 'payment-methods') ?? [],
        );
    }
}
