<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Reais as the API takes them: a JSON number. */
final class Amount
{
    /**
     * @param float|string $reais 42.5, or the text `42.50` of a database or of bcmath.
     * @throws \InvalidArgumentException
     */
    public static function number(float|string $reais): float
    {
        if (is_string($reais) && preg_match('/^\d{1,12}(\.\d{1,6})?$/D', $reais) !== 1) {
            throw new \InvalidArgumentException('an amount is written 42.50');
        }
        return (float) $reais;
    }
}
