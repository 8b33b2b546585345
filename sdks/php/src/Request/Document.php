<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The payer's tax number. */
final readonly class Document implements \JsonSerializable
{
    use WireFields;

    private function __construct(public string $type, public string $number)
    {
    }

    /** @param string $number Digits only. */
    public static function cpf(string $number): self
    {
        return new self('CPF', $number);
    }

    /** @param string $number Digits, or letters too, without dots and dashes. */
    public static function cnpj(string $number): self
    {
        return new self('CNPJ', $number);
    }
}
