<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** What installments cost: the body of `POST /interest/changes`. Either a rate, or `usual`. */
final readonly class ChangeInterest implements \JsonSerializable
{
    use WireFields {
        jsonSerialize as private wireFields;
    }

    /** @internal */
    public const FIELDS = ['brand', 'from', 'monthly-rate-percent', 'interest-free', 'usual'];

    public ?Amount $monthlyRatePercent;
    public ?int $interestFree;
    public ?string $brand;
    public ?\DateTimeInterface $from;

    /**
     * @param int|string|null $monthlyRatePercent Interest a month in percent: `'2.99'`.
     * @param int|Omitted $interestFree How many installments are free of interest; 1 when left out.
     * @param ?true $usual Ends terms of the store's own.
     * @param string|Omitted $brand All brands without terms of their own when left out; null is a TypeError.
     * @param \DateTimeInterface|Omitted $from At once when left out; null is a TypeError.
     */
    public function __construct(
        int|string|null $monthlyRatePercent = null,
        int|Omitted $interestFree = Omitted::Argument,
        public ?bool $usual = null,
        string|Omitted $brand = Omitted::Argument,
        \DateTimeInterface|Omitted $from = Omitted::Argument,
    ) {
        $rate = $monthlyRatePercent;
        $this->monthlyRatePercent = $rate === null ? null : Amount::of($rate, 'monthlyRatePercent');
        $this->interestFree = $interestFree instanceof Omitted ? null : $interestFree;
        $this->brand = $brand instanceof Omitted ? null : $brand;
        $this->from = $from instanceof Omitted ? null : $from;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $from = $this->from?->format('Y-m-d\TH:i:s.vP');
        return ($from === null ? [] : ['from' => $from]) + $this->wireFields();
    }
}
