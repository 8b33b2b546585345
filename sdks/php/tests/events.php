<?php

// Events and their endpoints, as defined in vectors.json for all SDKs.
declare(strict_types=1);

namespace Cofre\Merchant\Tests;

use Cofre\Merchant\EventType;
use Cofre\Merchant\Http\HttpRequest;
use Cofre\Merchant\Request\ChangeEventEndpoint;
use Cofre\Merchant\Request\CreateEventEndpoint;
use Cofre\Merchant\Request\EventQuery;
use Cofre\Merchant\VerifiedEvent;

$asked = static fn (ScriptedTransport $transport): array => array_map(
    static fn (HttpRequest $request) => [
        $request->method,
        str_replace('https://api.shop.example', '', $request->uri),
        $request->body,
    ],
    $transport->requests,
);

test('events are listed page by page, with the data of their types', static function () use ($vectors, $payments, $targets, $accepted): void {
    $vector = $vectors['events'];
    [$client, $transport] = $payments([...$vector['pages'], $vector['pages'][1]]);
    $query = new EventQuery(EventType::LINK_PAID, '1', new \DateTimeImmutable('2026-11-01T12:00:00Z'), limit: 2);
    $events = [];
    foreach ($client->allEvents($query) as $event) {
        $events[] = $event;
    }
    [$linked, $deleted, $refunded, $cancelled, $paid] = $events;
    same(array_column($events, 'code'), $vector['codes']);
    same([$linked->data->paymentLink, $linked->data->payment?->amount], ['A1b2C3d4', '42.50']);
    same([$deleted->data->savedCard, $deleted->data->payment], ['Zk3vT8QwLr5yXn2bJc7dHf9gKm4pRs6t', null]);
    same([$refunded->data->refund?->id, $refunded->data->refund?->metadata], ['7', []]);
    same([$cancelled->data->reason, $cancelled->data->declineReason], ['declined', 'expired_card']);
    same([$paid->data->payment?->installments, $paid->data->payment?->methodName, $paid->deliveries], [3, 'visa', []]);
    same($client->listEvents(new EventQuery(limit: 2))->nextCursor, null);
    $queries = array_map(static function (string $target): array {
        parse_str((string) parse_url($target, PHP_URL_QUERY), $query);
        return $query;
    }, $targets($transport));
    $first = ['type' => 'link.paid', 'transaction-code' => '1', 'created-from' => '2026-11-01T12:00:00.000+00:00', 'limit' => '2'];
    same(ksorted($queries), ksorted([$first, $first + ['cursor' => $vector['cursor']], ['limit' => '2']]));
    same($accepted($transport), V2);
});

test('events are found with their deliveries, and sent again', static function () use ($vectors, $payments, $asked): void {
    $found = $vectors['events']['found'];
    [$client, $transport] = $payments([$found, ['failure' => 'time-out'], $found, $found]);
    $code = $found['event']['code'];
    [$waiting, $delivered] = $client->findEvent($code)->deliveries;
    same([$waiting->state, $waiting->statusCode, $waiting->attempts], ['waiting', 500, 1]);
    same([$delivered->nextAttempt, $delivered->endpoint], [null, 'ep_aaaaaaaaaaaaaaaaaaaaaaaa']);
    same($client->sendEvent($code)->code, $code);
    $client->sendEvent($code, $waiting->endpoint);
    $all = ['POST', "/events/$code/deliveries", '{}'];
    $one = ['POST', "/events/$code/deliveries", "{\"endpoint\":\"{$waiting->endpoint}\"}"];
    same($asked($transport), [['GET', "/events/$code", null], $all, $all, $one]);
});

test('endpoints of events are created, listed, changed, rotated and deleted', static function () use ($vectors, $payments, $asked): void {
    $vector = $vectors['events'];
    ['request' => $request, 'made' => $made, 'endpoint' => $found] = $vector;
    $answers = [['failure' => 'time-out'], $vector['repeated'], $made, $vector['endpoints'], $found, $found, $made, $found];
    [$client, $transport] = $payments($answers);
    $endpoint = new CreateEventEndpoint($request['url'], $request['types'], true);
    $created = $client->createEventEndpoint($endpoint, 'endpoint-1');
    same([$created->endpoint->url, $created->secret], [$request['url'], null]);
    same($client->createEventEndpoint(['url' => $request['url']])->secret, $made['secret']);
    [$one, $other] = $client->listEventEndpoints();
    same([$one->types, $other->types, $other->enabled], [$request['types'], null, false]);
    same([$one->failingSince, $other->failingSince?->format('Y')], [null, '2026']);
    $code = $one->code;
    same($client->findEventEndpoint($code)->types, $one->types);
    same($client->changeEventEndpoint($code, new ChangeEventEndpoint(enabled: false))->code, $code);
    same($client->rotateEventEndpointSecret($code)->secret, $made['secret']);
    same($client->deleteEventEndpoint($code)->code, $code);
    $sent = json_encode($endpoint);
    $place = "/event-endpoints/$code";
    same($asked($transport), [
        ['POST', '/event-endpoints', stripslashes($sent)],
        ['POST', '/event-endpoints', stripslashes($sent)],
        ['POST', '/event-endpoints', "{\"url\":\"{$request['url']}\"}"],
        ['GET', '/event-endpoints', null],
        ['GET', $place, null],
        ['POST', "$place/changes", '{"enabled":false}'],
        ['POST', "$place/secret-rotations", '{}'],
        ['POST', "$place/deletion", '{}'],
    ]);
    same(ksorted(json_decode($sent, true)), ksorted($request));
    $keys = array_column($transport->headers(), 'idempotency-key');
    same([array_slice($keys, 0, 2), count(array_unique($keys))], [['endpoint-1', 'endpoint-1'], 5]);
});

test('events are verified', static function () use ($vectors): void {
    foreach ($vectors['events']['signed'] as $vector) {
        $server = [];
        foreach ($vector['headers'] as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        foreach ([$vector['headers'], $server] as $headers) {
            $event = VerifiedEvent::verify(
                $headers,
                $vector['body'],
                $vector['secret'],
                $vector['toleranceSeconds'] ?? 300,
                new \DateTimeImmutable('@' . $vector['now']),
            );
            $read = $event === null ? null : [
                'code' => $event->code,
                'type' => $event->type,
                'timestamp' => $event->timestamp->format('Y-m-d\TH:i:s.v\Z'),
                'environment' => $event->environment,
                'link' => $event->data->paymentLink,
                'payment' => $event->data->payment?->code,
                'amount' => (float) $event->data->payment?->amount,
            ];
            same($read, $vector['event'], $vector['name']);
        }
    }
});

test('what is no secret of an endpoint verifies no event', static function () use ($vectors): void {
    foreach ($vectors['events']['refusedSecrets'] as $secret) {
        $refused = thrown(\InvalidArgumentException::class, static fn () => VerifiedEvent::verify([], '', $secret));
        same(str_contains($refused->getMessage(), 'whsec_'), true, $secret);
    }
});
