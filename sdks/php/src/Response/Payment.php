<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A payment with all that belongs to it. */
final readonly class Payment extends PaymentSummary
{
    /**
     * @param ?PaymentPayer $payer Null if the payer's data was erased.
     * @param ?string $barcodeNumber For a boleto, as are the next ones: its bank's data so far.
     * @param ?PaymentCard $card Null for another method.
     * @param ?BankCharge $bankCharge Null if no bank was asked.
     * @param list<RefundSummary> $refunds
     * @param list<PaymentNotification> $notifications
     * @param list<PaymentDispute> $disputes
     * @param list<PaymentSettlement> $settlements
     */
    protected function __construct(
        PaymentSummary $summary,
        public ?PaymentPayer $payer,
        public string $notificationUrl,
        public ?string $barcodeNumber,
        public ?string $digitableLine,
        public ?string $paymentUrl,
        public ?string $paymentCode,
        public ?string $qrcodeImage,
        public ?PaymentCard $card,
        public ?BankCharge $bankCharge,
        public array $refunds,
        public array $notifications,
        public array $disputes,
        public array $settlements,
    ) {
        parent::__construct(...get_object_vars($summary));
    }

    public static function read(Wire $wire): self
    {
        return new self(
            PaymentSummary::read($wire),
            PaymentPayer::read($wire->optionalObject('payer')),
            $wire->text('notification-url'),
            $wire->optionalText('barcode-number'),
            $wire->optionalText('digitable-line'),
            $wire->optionalText('payment-url'),
            $wire->optionalText('payment-code'),
            $wire->optionalText('qrcode-image'),
            PaymentCard::read($wire->optionalObject('card')),
            BankCharge::read($wire->optionalObject('bank-charge')),
            $wire->list('refunds', RefundSummary::read(...)),
            $wire->list('notifications', PaymentNotification::read(...)),
            $wire->list('disputes', PaymentDispute::read(...)),
            $wire->list('settlements', PaymentSettlement::read(...)),
        );
    }

    public static function readOne(Wire $body): self
    {
        return self::read($body->object('payment'));
    }
}
