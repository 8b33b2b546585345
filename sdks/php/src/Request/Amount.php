<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Reais. Keeps the given text, and sends it as the API's JSON number. */
final readonly class Amount implements \JsonSerializable, \Stringable
{
    /** At most 15 digits, so that different texts are different numbers. */
    private const PATTERN = '/^\d{1,9}(\.\d{1,6})?$/D';

    private function __construct(private string $reais)
    {
    }

    /**
     * @param int|string $reais 42, or the text `42.50` of a database or of bcmath.
     * @throws \InvalidArgumentException
     */
    public static function of(int|string $reais, string $name = 'amount'): self
    {
        if (preg_match(self::PATTERN, (string) $reais) !== 1) {
            throw new \InvalidArgumentException("$name must be written 42.50");
        }
        return new self((string) $reais);
    }

    public function jsonSerialize(): float
    {
        return (float) $this->reais;
    }

    public function __toString(): string
    {
        return $this->reais;
    }
}
