<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** Writes the public properties as the API names them: `birthDate` is `birth-date`. Null is left out. */
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
