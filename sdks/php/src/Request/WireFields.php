<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Writes the public properties under the API's names: `birthDate` is `birth-date`. Omits null. */
trait WireFields
{
    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $wire = [];
        foreach (get_object_vars($this) as $name => $value) {
            if ($value !== null) {
                $wire[strtolower((string) preg_replace('/[A-Z]/', '-$0', $name))] = $value;
            }
        }
        return $wire;
    }
}
