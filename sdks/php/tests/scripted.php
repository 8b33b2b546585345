<?php

declare(strict_types=1);

namespace Cofre\Merchant\Tests;

use Cofre\Merchant\Http\HttpRequest;
use Cofre\Merchant\Http\HttpResponse;
use Cofre\Merchant\Http\Transport;
use Cofre\Merchant\Http\TransportFailure;
use Cofre\Merchant\Machine;

/** Returns a script's responses, and records the requests. */
final class ScriptedTransport implements Transport
{
    /** @var list<HttpRequest> */
    public array $requests = [];

    /** @param list<array<string, mixed>> $answers */
    public function __construct(private array $answers)
    {
    }

    public function send(HttpRequest $request): HttpResponse
    {
        $this->requests[] = $request;
        $answer = array_shift($this->answers) ?? throw new \LogicException('no answer is left');
        if (isset($answer['failure'])) {
            throw $answer['failure'] === 'own' ? new \LogicException('of its own') : new TransportFailure($answer['failure'] === 'time-out');
        }
        return new HttpResponse($answer['status'], $answer['headers'] ?? [], $answer['body']);
    }

    public function failsNextAs(string $failure): bool
    {
        return ($this->answers[0]['failure'] ?? null) === $failure;
    }

    /** @return list<array<string, string>> Of all requests, names in lower case. */
    public function headers(): array
    {
        return array_map(static fn (HttpRequest $request) => array_change_key_case($request->headers), $this->requests);
    }
}

/** Sleeping advances its clock; its random number is 0, its nonces are counted. */
final class ScriptedMachine extends Machine
{
    /** @var list<float> */
    public array $waits = [];
    private int $drawn = 0;

    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable('@1790000000');
    }

    public function elapsedSeconds(): float
    {
        return array_sum($this->waits);
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = $seconds;
    }

    public function randomBytes(int $count): string
    {
        $this->drawn++;
        return $count === 1 ? "\0" : str_pad(pack('N', $this->drawn), $count, "\0", STR_PAD_LEFT);
    }
}
