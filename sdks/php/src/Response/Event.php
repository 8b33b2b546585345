<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** Something that happened to a payment, a saved card or a link. */
final readonly class Event
{
    /**
     * @param string $code Also its `webhook-id`: handle each once.
     * @param string $type One of {@see \Cofre\Merchant\EventType}.
     * @param list<EventDelivery> $deliveries Only filled for a single event.
     */
    private function __construct(
        public string $code,
        public string $type,
        public \DateTimeImmutable $dateCreated,
        public EventData $data,
        public array $deliveries,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('code'),
            $wire->text('type'),
            $wire->date('date-created'),
            EventData::read($wire->object('data')),
            Wire::lenient(static fn (string $name): array => $wire->list($name, EventDelivery::read(...)), 'deliveries') ?? [],
        );
    }

    public static function readOne(Wire $body): self
    {
        return self::read($body->object('event'));
    }
}
