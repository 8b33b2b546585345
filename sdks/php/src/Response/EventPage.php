<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** A page of events. */
final readonly class EventPage
{
    /**
     * @param list<Event> $events
     * @param ?string $nextCursor Null on the last page. A page before it may be empty.
     */
    private function __construct(
        public array $events,
        public ?string $nextCursor,
    ) {
    }

    public static function read(Wire $body): self
    {
        return new self(
            $body->list('events', Event::read(...)),
            $body->nullableText('next-cursor'),
        );
    }
}
