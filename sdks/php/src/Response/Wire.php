<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/**
 * Reads members of a JSON object, each of the type that the API promises.
 * @internal
 */
final readonly class Wire
{
    /** @param array<array-key, mixed> $members */
    private function __construct(private array $members)
    {
    }

    /** @throws \UnexpectedValueException if it is no object */
    public static function of(mixed $json): self
    {
        return is_array($json) ? new self($json) : throw new \UnexpectedValueException('not an object');
    }

    public function text(string $name): string
    {
        return $this->optionalText($name) ?? $this->fail($name);
    }

    public function optionalText(string $name): ?string
    {
        $value = $this->members[$name] ?? null;
        return $value === null || is_string($value) ? $value : $this->fail($name);
    }

    /** Null must be sent: without a cursor, a list would seem to end. */
    public function nullableText(string $name): ?string
    {
        return array_key_exists($name, $this->members) ? $this->optionalText($name) : $this->fail($name);
    }

    /** An identifier, which may come as a number. */
    public function identifier(string $name): string
    {
        $value = $this->members[$name] ?? null;
        return is_int($value) ? (string) $value : $this->text($name);
    }

    public function whole(string $name): int
    {
        $value = $this->members[$name] ?? null;
        return is_int($value) ? $value : $this->fail($name);
    }

    public function optionalWhole(string $name): ?int
    {
        return isset($this->members[$name]) ? $this->whole($name) : null;
    }

    public function number(string $name): float
    {
        $value = $this->members[$name] ?? null;
        return is_int($value) || is_float($value) ? (float) $value : $this->fail($name);
    }

    /** Reais, sent as a JSON number, as decimal text: `42.50`. */
    public function amount(string $name): string
    {
        $value = $this->members[$name] ?? null;
        return is_int($value) || is_float($value) ? number_format($value, 2, '.', '') : $this->fail($name);
    }

    public function optionalAmount(string $name): ?string
    {
        return isset($this->members[$name]) ? $this->amount($name) : null;
    }

    public function flag(string $name): bool
    {
        $value = $this->members[$name] ?? null;
        return is_bool($value) ? $value : $this->fail($name);
    }

    public function optionalFlag(string $name): ?bool
    {
        return isset($this->members[$name]) ? $this->flag($name) : null;
    }

    public function date(string $name): \DateTimeImmutable
    {
        return $this->optionalDate($name) ?? $this->fail($name);
    }

    public function optionalDate(string $name): ?\DateTimeImmutable
    {
        $text = $this->optionalText($name);
        if ($text === null) {
            return null;
        }
        try {
            return new \DateTimeImmutable($text);
        } catch (\Exception) {
            $this->fail($name);
        }
    }

    /**
     * A store's own names and texts; empty if there are none.
     * @return array<array-key, string>
     */
    public function optionalTexts(string $name): array
    {
        $value = $this->members[$name] ?? [];
        $isTexts = is_array($value) && array_filter($value, is_string(...)) === $value;
        return $isTexts ? $value : $this->fail($name);
    }

    /** @return ?list<string> */
    public function optionalTextList(string $name): ?array
    {
        $value = $this->members[$name] ?? null;
        if ($value === null) {
            return null;
        }
        $isTexts = is_array($value) && array_is_list($value) && array_filter($value, is_string(...)) === $value;
        return $isTexts ? $value : $this->fail($name);
    }

    public function object(string $name): self
    {
        return self::of($this->members[$name] ?? null);
    }

    public function optionalObject(string $name): ?self
    {
        return isset($this->members[$name]) ? $this->object($name) : null;
    }

    /**
     * @template Element
     * @param callable(self): Element $read
     * @return list<Element>
     */
    public function list(string $name, callable $read): array
    {
        $list = $this->members[$name] ?? null;
        if (!is_array($list) || !array_is_list($list)) {
            $this->fail($name);
        }
        return array_map(static fn (mixed $element) => $read(self::of($element)), $list);
    }

    /**
     * Null if it is missing or of another type.
     * @template Member
     * @param callable(string): Member $read
     * @return ?Member
     */
    public static function lenient(callable $read, string $name): mixed
    {
        try {
            return $read($name);
        } catch (\UnexpectedValueException) {
            return null;
        }
    }

    private function fail(string $name): never
    {
        throw new \UnexpectedValueException("$name is missing or of another type");
    }
}
