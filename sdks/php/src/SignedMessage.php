<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * A message as received, in the form of Standard Webhooks.
 * @internal
 */
final readonly class SignedMessage
{
    public const TOLERANCE_SECONDS = 300;

    public string $id;
    public string $contentType;
    private string $timestamp;
    private string $signatures;

    /** @param array<array-key, mixed> $headers */
    public function __construct(array $headers, private string $body)
    {
        $header = self::named($headers);
        $this->id = $header['webhook-id'] ?? '';
        $this->contentType = $header['content-type'] ?? '';
        $this->timestamp = $header['webhook-timestamp'] ?? '';
        $this->signatures = $header['webhook-signature'] ?? '';
    }

    /** True if it was signed by the key, a short while ago. */
    public function isSignedBy(#[\SensitiveParameter] string $key, int $toleranceSeconds, ?\DateTimeInterface $now): bool
    {
        if ($this->id === '' || preg_match('/^\d{1,12}$/D', $this->timestamp) !== 1) {
            return false;
        }
        $nowSeconds = (float) ($now ?? new \DateTimeImmutable())->format('U.u');
        if (abs($nowSeconds - (int) $this->timestamp) > $toleranceSeconds) {
            return false;
        }
        $content = "{$this->id}.{$this->timestamp}.{$this->body}";
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
        $isSigned = false;
        // During a change of the secret there are several signatures; one of them must be valid.
        foreach (explode(' ', $this->signatures) as $signature) {
            $isSigned = hash_equals($expected, $signature) || $isSigned;
        }
        return $isSigned;
    }

    /**
     * @param array<array-key, mixed> $headers
     * @return array<string, string> By lower-case name, without repeated headers.
     */
    private static function named(array $headers): array
    {
        $read = [];
        foreach ($headers as $name => $value) {
            $single = is_array($value) && count($value) === 1 ? reset($value) : $value;
            if (is_string($single)) {
                $read[preg_replace('/^http-/', '', strtr(strtolower((string) $name), '_', '-'))] = $single;
            }
        }
        return $read;
    }
}
