<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Reais. The text that was given is kept, and sent as the JSON number that the API takes. */
final readonly class Amount implements \JsonSerializable, \Stringable
{
    /** So many digits that each text is a number of its own. */
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
