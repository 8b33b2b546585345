<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Request\Amount;

/**
 * Checks a shop's arrays. A misspelt, unset or misplaced member is reported before a request is sent. No message
 * contains a value: it may be a secret.
 * @internal
 */
final class Arguments
{
    /** Compared without case and dashes. */
    private const KEY_NAME = 'idempotencykey';

    /**
     * @throws \TypeError for a value that is no text, or empty
     * @phpstan-assert non-empty-string $value
     */
    public static function requireText(string $name, #[\SensitiveParameter] mixed $value): void
    {
        if (!is_string($value) || $value === '') {
            throw new \TypeError("$name must be a string, not " . self::kindOf($value));
        }
    }

    /** @throws \TypeError for a value that is no amount in reais, such as NAN or an empty string */
    public static function requireAmount(string $name, #[\SensitiveParameter] mixed $value): void
    {
        $number = match (true) {
            is_int($value), is_float($value) => (float) $value,
            $value instanceof Amount, is_numeric($value) => (float) (string) $value,
            default => NAN,
        };
        if (is_finite($number) && $number > 0) {
            return;
        }
        $given = match (true) {
            is_finite($number) => '0 or less',
            is_infinite($number) => 'INF',
            is_float($value) => 'NAN',
            default => self::kindOf($value),
        };
        throw new \TypeError("$name must be a number above 0, not $given");
    }

    /**
     * @param list<string> $known
     * @param array<array-key, mixed> $value
     * @throws \TypeError for an unknown member or a null: a misspelt amount would be ignored
     */
    public static function requireKnown(string $name, array $known, #[\SensitiveParameter] array $value): void
    {
        foreach ($value as $member => $content) {
            if (!in_array($member, $known, true)) {
                throw new \TypeError("{$name}['$member'] is not known. Known are " . implode(', ', $known));
            }
            if ($content === null) {
                throw new \TypeError("{$name}['$member'] must not be null: leave it out");
            }
        }
    }

    /**
     * @param array<array-key, mixed> $value
     * @throws \TypeError for an idempotency key anywhere in a body: with a new key, a retry would pay again
     */
    public static function refuseKeyIn(string $name, #[\SensitiveParameter] array $value): void
    {
        foreach ($value as $member => $content) {
            $place = is_int($member) ? "{$name}[$member]" : "{$name}['$member']";
            if (strtolower(str_replace(['-', '_'], '', (string) $member)) === self::KEY_NAME) {
                throw new \TypeError("$place is not known. It is the argument \$idempotencyKey");
            }
            if (is_array($content)) {
                self::refuseKeyIn($place, $content);
            }
        }
    }

    private static function kindOf(#[\SensitiveParameter] mixed $value): string
    {
        return $value === '' ? 'an empty string' : get_debug_type($value);
    }
}
