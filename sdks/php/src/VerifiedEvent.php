<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Response\EventData;
use Cofre\Merchant\Response\Wire;

/** An event as an endpoint received it. It can arrive twice: handle each code once. */
final readonly class VerifiedEvent
{
    private const SECRET = '~^whsec_((?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$~D';

    /**
     * @param string $type One of {@see EventType}.
     * @param \DateTimeImmutable $timestamp When it happened.
     * @param string $environment `production` or `sandbox`.
     */
    private function __construct(
        public string $code,
        public string $type,
        public \DateTimeImmutable $timestamp,
        public string $environment,
        public EventData $data,
    ) {
    }

    /**
     * Reads an event only if the service signed it (Standard Webhooks) a short while ago; null otherwise.
     * @param array<array-key, mixed> $headers From PSR-7, `getallheaders()` or `$_SERVER`.
     * @param string $body Exactly as received: `file_get_contents('php://input')`.
     * @param string $secret The endpoint's, `whsec_…`: while it is rotated, both are good.
     * @param int $toleranceSeconds The largest difference between the time of sending and now, in both directions.
     * @throws \InvalidArgumentException for another secret, such as the store's own
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string $secret,
        int $toleranceSeconds = SignedMessage::TOLERANCE_SECONDS,
        ?\DateTimeInterface $now = null,
    ): ?self {
        if (preg_match(self::SECRET, $secret, $match) !== 1) {
            throw new \InvalidArgumentException('secret must be the secret of an endpoint, which begins with whsec_');
        }
        $message = new SignedMessage($headers, $body);
        if (!$message->isSignedBy((string) base64_decode($match[1], true), $toleranceSeconds, $now)) {
            return null;
        }
        $wire = Wire::of(json_decode($body, true));
        return new self(
            $message->id,
            $wire->text('type'),
            $wire->date('timestamp'),
            $wire->text('environment'),
            EventData::read($wire->object('data')),
        );
    }
}
