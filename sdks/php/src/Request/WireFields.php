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
                // Keys of digits only would make metadata a JSON list.
                $sent = $name === 'metadata' ? (object) $value : $value;
                $wire[strtolower((string) preg_replace('/[A-Z]/', '-$0', $name))] = $sent;
            }
        }
        return $wire;
    }
}
