<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Request\Amount;

/**
 * Writes filters as the API reads them.
 * @internal
 */
final class Query
{
    /** @param array<string, mixed> $filters */
    public static function target(string $path, array $filters): string
    {
        $query = self::text($filters);
        return $path . ($query === '' ? '' : "?$query");
    }

    /** @param array<string, mixed> $parameters */
    public static function text(array $parameters): string
    {
        $texts = array_map(
            static fn (mixed $value) => $value instanceof Amount ? (string) $value : $value,
            self::withTextsOfDates($parameters),
        );
        return http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    /**
     * @param array<string, mixed> $filters
     * @return array<string, mixed>
     */
    public static function withTextsOfDates(array $filters): array
    {
        return array_map(
            static fn (mixed $value) => $value instanceof \DateTimeInterface ? $value->format('Y-m-d\TH:i:s.vP') : $value,
            $filters,
        );
    }
}
