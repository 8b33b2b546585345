<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** A response with any status. */
final readonly class HttpResponse
{
    /** @param array<string, string> $headers Names in lower case. */
    public function __construct(public int $status, public array $headers, public string $body)
    {
    }
}
