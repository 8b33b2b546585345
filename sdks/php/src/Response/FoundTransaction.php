<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A transaction in a search's result. */
final readonly class FoundTransaction
{
    /**
     * @param string $reference The shop's own identifier (`order-id`).
     * @param string $status One of {@see \Cofre\Merchant\TransactionStatus}.
     * @param string $amount Reais as decimal text: `42.50`.
     * @param bool $refundable True if a refund of the remaining amount would be accepted.
     * @param list<Refund> $refunds
     * @param list<PaymentMethod> $paymentMethods
     * @param ?string $barcodeNumber For a boleto, as are the next ones: its bank's data so far.
     */
    private function __construct(
        public string $code,
        public string $reference,
        public string $description,
        public string $status,
        public string $amount,
        public string $customerEmail,
        public string $paymentId,
        public string $paymentName,
        public \DateTimeImmutable $orderDate,
        public ?\DateTimeImmutable $paymentDate,
        public \DateTimeImmutable $lastStatusChangeDate,
        public bool $refundable,
        public array $refunds,
        public array $paymentMethods,
        public ?Decline $decline,
        public ?string $barcodeNumber,
        public ?string $digitableLine,
        public ?string $paymentUrl,
        public ?string $paymentCode,
        public ?string $qrcodeImage,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->identifier('transaction-code'),
            $wire->text('order-id'),
            $wire->text('order-description'),
            $wire->text('status'),
            $wire->text('amount'),
            $wire->text('customer-email'),
            $wire->text('payment-id'),
            $wire->text('payment-name'),
            $wire->date('order-date'),
            $wire->optionalDate('payment-date'),
            $wire->date('last-status-change-date'),
            $wire->flag('refundable'),
            $wire->list('refunds', Refund::read(...)),
            $wire->list('payment-methods', PaymentMethod::read(...)),
            Decline::read($wire->optionalObject('decline')),
            $wire->optionalText('barcode-number'),
            $wire->optionalText('digitable-line'),
            $wire->optionalText('payment-url'),
            $wire->optionalText('payment-code'),
            $wire->optionalText('qrcode-image'),
        );
    }
}
