<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** One reason of a refusal. */
final readonly class ErrorDetail
{
    /**
     * @param int $code A code of the catalogue; never renamed, never reused.
     * @param string $description The key text of the code.
     * @param ?string $property Path of the wrong field: `payer.document.number`.
     * @param ?string $constraint The broken rule: `required`, `minimum`, …
     * @param list<string|int|float> $allowed All values that would have been accepted.
     * @param ?string $message The problem and its fix, for people.
     * @param ?string $docUrl The section of the documentation about the code.
     */
    private function __construct(
        public int $code,
        public string $description,
        public ?string $property,
        public ?string $constraint,
        public int|float|null $minimum,
        public int|float|null $maximum,
        public array $allowed,
        public ?string $message,
        public ?string $docUrl,
    ) {
    }

    /**
     * Reads the errors of a refusal of any shape; a code may be a numeric text.
     * @return list<self>
     */
    public static function readAll(mixed $body): array
    {
        $errors = is_array($body) ? $body['errors'] ?? null : null;
        $read = is_array($errors) ? array_map(self::read(...), array_values($errors)) : [];
        return array_values(array_filter($read));
    }

    private static function read(mixed $entry): ?self
    {
        if (!is_array($entry)) {
            return null;
        }
        $code = $entry['code'] ?? null;
        if (!is_int($code) && !(is_string($code) && preg_match('/^\d{1,9}$/D', $code) === 1)) {
            return null;
        }
        $text = static fn (string $name): ?string => is_string($entry[$name] ?? null) ? $entry[$name] : null;
        $number = static fn (string $name): int|float|null =>
            is_int($entry[$name] ?? null) || is_float($entry[$name] ?? null) ? $entry[$name] : null;
        $allowed = is_array($entry['allowed'] ?? null) ? $entry['allowed'] : [];
        return new self(
            (int) $code,
            $text('description') ?? '',
            $text('property'),
            $text('constraint'),
            $number('minimum'),
            $number('maximum'),
            array_values(array_filter($allowed, static fn ($value) => is_string($value) || is_int($value) || is_float($value))),
            $text('message'),
            $text('doc_url'),
        );
    }
}
