<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** An endpoint that receives events. */
final readonly class EventEndpoint
{
    /**
     * @param ?list<string> $types Null for all, those of later releases too.
     * @param ?\DateTimeImmutable $failingSince Since when it has accepted nothing; null if it accepted the last event.
     * @param ?\DateTimeImmutable $previousSecretUntil Until when the secret before signs too; null without one.
     */
    private function __construct(
        public string $code,
        public string $url,
        public ?array $types,
        public bool $enabled,
        public \DateTimeImmutable $dateCreated,
        public ?\DateTimeImmutable $failingSince,
        public ?\DateTimeImmutable $previousSecretUntil,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('code'),
            $wire->text('url'),
            $wire->optionalTextList('types'),
            $wire->flag('enabled'),
            $wire->date('date-created'),
            $wire->optionalDate('failing-since'),
            $wire->optionalDate('previous-secret-until'),
        );
    }

    public static function readOne(Wire $body): self
    {
        return self::read($body->object('event-endpoint'));
    }
}
