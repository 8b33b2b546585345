<?php

declare(strict_types=1);

namespace Cofre\Merchant\Response;

/** An endpoint with a new secret. */
final readonly class EventEndpointWithSecret
{
    /**
     * @param ?string $secret `whsec_…`; store it, no other answer has it. Null if this repeats the answer to an earlier
     *   request.
     */
    private function __construct(
        public EventEndpoint $endpoint,
        #[\SensitiveParameter] public ?string $secret,
    ) {
    }

    public static function read(Wire $body): self
    {
        return new self(EventEndpoint::read($body->object('event-endpoint')), $body->nullableText('secret'));
    }
}
