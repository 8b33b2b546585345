<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** An endpoint that receives events: the body of `POST /event-endpoints`. */
final readonly class CreateEventEndpoint implements \JsonSerializable
{
    use EndpointSettings;
    use WireFields;

    /** @internal */
    public const FIELDS = ['url', 'types', 'enabled'];

    /** @var ?list<string> */
    public ?array $types;
    public ?bool $enabled;

    /**
     * @param list<string>|Omitted $types Of {@see \Cofre\Merchant\EventType}. Default: all, those of later releases too;
     *   null is a TypeError.
     * @param bool|Omitted $enabled False sends nothing to it; default: true.
     */
    public function __construct(
        public string $url,
        array|Omitted $types = Omitted::Argument,
        bool|Omitted $enabled = Omitted::Argument,
    ) {
        Connection::requireText('url', $url);
        $this->types = self::typesOf($types);
        $this->enabled = $enabled instanceof Omitted ? null : $enabled;
    }
}
