<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;
use Cofre\Merchant\EventType;

/** The settings of an endpoint that receives events. */
trait EndpointSettings
{
    /**
     * @param array<array-key, string>|Omitted $types
     * @return ?list<string>
     */
    private static function typesOf(array|Omitted $types): ?array
    {
        if ($types instanceof Omitted) {
            return null;
        }
        foreach ($types as $type) {
            Connection::requireChoice('types', EventType::ALL, $type);
        }
        return array_values($types);
    }
}
