<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** A signed request, which must be sent exactly as it is. */
final readonly class HttpRequest
{
    /**
     * @param array<string, string> $headers
     * @param ?string $body Present on a POST.
     */
    public function __construct(
        public string $method,
        public string $uri,
        #[\SensitiveParameter] public array $headers,
        #[\SensitiveParameter] public ?string $body,
        public float $timeoutSeconds,
    ) {
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'uri' => $this->uri, 'body' => '[secret]'];
    }
}
