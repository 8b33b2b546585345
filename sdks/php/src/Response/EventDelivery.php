<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** The delivery of an event to an endpoint. */
final readonly class EventDelivery
{
    /**
     * @param string $endpoint The endpoint's code.
     * @param string $state `waiting`, `held` or `delivered`.
     * @param ?int $statusCode Of the last answer.
     * @param ?string $error Of the last attempt.
     */
    private function __construct(
        public string $endpoint,
        public string $state,
        public int $attempts,
        public ?\DateTimeImmutable $dateAttempted,
        public ?\DateTimeImmutable $nextAttempt,
        public ?int $statusCode,
        public ?string $error,
    ) {
    }

    public static function read(Wire $wire): self
    {
        return new self(
            $wire->text('endpoint'),
            $wire->text('state'),
            $wire->whole('attempts'),
            $wire->optionalDate('date-attempted'),
            $wire->optionalDate('next-attempt'),
            $wire->optionalWhole('status-code'),
            $wire->optionalText('error'),
        );
    }
}
