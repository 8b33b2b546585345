<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

use Cofre\Merchant\Connection;

/** A change of an endpoint: the body of `POST /event-endpoints/{code}/changes`. The rest stays as it is. */
final readonly class ChangeEventEndpoint implements \JsonSerializable
{
    use EndpointSettings;
    use WireFields;

    /** @internal */
    public const FIELDS = ['url', 'types', 'enabled'];

    public ?string $url;
    /** @var ?list<string> */
    public ?array $types;
    public ?bool $enabled;

    /**
     * @param list<string>|Omitted $types Of {@see \Cofre\Merchant\EventType}.
     * @param bool|Omitted $enabled False sends nothing to it.
     */
    public function __construct(
        string|Omitted $url = Omitted::Argument,
        array|Omitted $types = Omitted::Argument,
        bool|Omitted $enabled = Omitted::Argument,
    ) {
        $this->url = $url instanceof Omitted ? null : $url;
        if ($this->url !== null) {
            Connection::requireText('url', $this->url);
        }
        $this->types = self::typesOf($types);
        $this->enabled = $enabled instanceof Omitted ? null : $enabled;
    }
}
