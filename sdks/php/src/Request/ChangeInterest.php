<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** A change of the installments' interest: the body of `POST /interest/changes`. Either a rate, or `usual`. */
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
     * @param int|string|null $monthlyRatePercent Interest per month in percent: `'2.99'`.
     * @param int|Omitted $interestFree Number of installments without interest; default: 1.
     * @param ?true $usual Ends the store's own terms.
     * @param string|Omitted $brand Default: all brands without their own terms; null is a TypeError.
     * @param \DateTimeInterface|Omitted $from Default: at once; null is a TypeError.
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
