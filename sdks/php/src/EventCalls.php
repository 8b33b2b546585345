<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Request\ChangeEventEndpoint;
use Cofre\Merchant\Request\CreateEventEndpoint;
use Cofre\Merchant\Request\EventQuery;
use Cofre\Merchant\Response\Event;
use Cofre\Merchant\Response\EventEndpoint;
use Cofre\Merchant\Response\EventEndpointWithSecret;
use Cofre\Merchant\Response\EventPage;
use Cofre\Merchant\Response\Wire;

/**
 * Calls of {@see MerchantClient} for events, and for the endpoints that receive them.
 * @internal
 */
trait EventCalls
{
    /** One page of the events of 30 days, newest first. */
    public function listEvents(EventQuery $query = new EventQuery()): EventPage
    {
        return $this->eventsOf($query->jsonSerialize());
    }

    /**
     * All events, page after page; each page is requested when needed.
     * @return \Generator<int, Event>
     */
    public function allEvents(EventQuery $query = new EventQuery()): \Generator
    {
        foreach (self::pagesOf($query->jsonSerialize(), $this->eventsOf(...)) as $page) {
            foreach ($page->events as $event) {
                yield $event;
            }
        }
    }

    /**
     * An event with its deliveries.
     * @throws MerchantError with status 404 if there is no such event
     */
    public function findEvent(string $code): Event
    {
        return $this->connection->get(self::placeOf('/events', $code), Event::readOne(...), 'v2');
    }

    /**
     * Sends an event again.
     * @param ?string $endpoint The code of an endpoint; null for all that take the event.
     */
    public function sendEvent(string $code, ?string $endpoint = null): Event
    {
        $target = self::placeOf('/events', $code) . '/deliveries';
        if ($endpoint !== null) {
            Connection::requireText('endpoint', $endpoint);
        }
        $body = $endpoint === null ? [] : ['endpoint' => $endpoint];
        return $this->connection->search($target, $body, Event::readOne(...));
    }

    /**
     * Creates an endpoint. Store its `secret`: no other answer has it.
     * @param CreateEventEndpoint|array<string, mixed> $endpoint
     * @param ?string $idempotencyKey As for {@see MerchantClient::createTransaction()}.
     */
    public function createEventEndpoint(
        CreateEventEndpoint|array $endpoint,
        ?string $idempotencyKey = null,
    ): EventEndpointWithSecret {
        $body = is_array($endpoint) ? $endpoint : $endpoint->jsonSerialize();
        Arguments::refuseKeyIn('endpoint', $body);
        // With misspelt types, it would get all.
        Arguments::requireKnown('endpoint', CreateEventEndpoint::FIELDS, $body);
        Arguments::requireText("endpoint['url']", $body['url'] ?? null);
        $key = $this->keyOf($idempotencyKey);
        $read = EventEndpointWithSecret::read(...);
        return $this->connection->create('/event-endpoints', $body, $body['url'], $key, $read);
    }

    /**
     * All endpoints, oldest first.
     * @return list<EventEndpoint>
     */
    public function listEventEndpoints(): array
    {
        $read = static fn (Wire $body): array => $body->list('event-endpoints', EventEndpoint::read(...));
        return $this->connection->get('/event-endpoints', $read, 'v2');
    }

    /** @throws MerchantError with status 404 if there is no such endpoint */
    public function findEventEndpoint(string $code): EventEndpoint
    {
        return $this->connection->get(self::placeOf('/event-endpoints', $code), EventEndpoint::readOne(...), 'v2');
    }

    /**
     * Changes an endpoint's address, types, or whether events are sent to it.
     * @param ChangeEventEndpoint|array<string, mixed> $change
     * @param ?string $idempotencyKey As for {@see MerchantClient::createTransaction()}.
     */
    public function changeEventEndpoint(
        string $code,
        ChangeEventEndpoint|array $change,
        ?string $idempotencyKey = null,
    ): EventEndpoint {
        $target = self::placeOf('/event-endpoints', $code) . '/changes';
        $body = is_array($change) ? $change : $change->jsonSerialize();
        Arguments::refuseKeyIn('change', $body);
        Arguments::requireKnown('change', ChangeEventEndpoint::FIELDS, $body);
        $key = $this->keyOf($idempotencyKey);
        return $this->connection->create($target, $body, $code, $key, EventEndpoint::readOne(...));
    }

    /**
     * A new secret; the one before signs too for 24 hours.
     * @param ?string $idempotencyKey As for {@see MerchantClient::createTransaction()}.
     */
    public function rotateEventEndpointSecret(string $code, ?string $idempotencyKey = null): EventEndpointWithSecret
    {
        $target = self::placeOf('/event-endpoints', $code) . '/secret-rotations';
        $key = $this->keyOf($idempotencyKey);
        return $this->connection->create($target, [], $code, $key, EventEndpointWithSecret::read(...));
    }

    /** Deletes an endpoint for good, and returns it as it was. */
    public function deleteEventEndpoint(string $code): EventEndpoint
    {
        $target = self::placeOf('/event-endpoints', $code) . '/deletion';
        return $this->connection->create($target, [], $code, $this->keyOf(null), EventEndpoint::readOne(...));
    }

    /** @param array<string, mixed> $filters */
    private function eventsOf(array $filters): EventPage
    {
        return $this->connection->get(Query::target('/events', $filters), EventPage::read(...), 'v2');
    }

    private static function placeOf(string $path, string $code): string
    {
        Connection::requireText('code', $code);
        return $path . '/' . rawurlencode($code);
    }
}
