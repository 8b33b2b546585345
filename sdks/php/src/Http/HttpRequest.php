<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** A request exactly as it has to be sent: it is signed. */
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
