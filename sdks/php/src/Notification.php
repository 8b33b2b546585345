<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * The service's notification to a shop. It reports only that something changed: read the transaction for the change.
 * It comes at least once, and again every ten minutes until the shop responds 200; after a COMPLETE, until the shop
 * has also read the transaction.
 */
final readonly class Notification
{
    private const IDENTIFIER = '/^[A-Za-z0-9-]{1,36}$/D';
    private const NATURE = '/^[A-Z_]{1,36}$/D';

    /**
     * @param ?string $refundId Id of a changed refund; null if the transaction itself has changed.
     * @param ?string $refundNature The bank's reason for returning a PIX, such as `MED_FRAUDE`; null otherwise.
     */
    private function __construct(
        public string $transactionCode,
        public ?string $refundId,
        public ?string $refundNature,
    ) {
    }

    /**
     * Reads a notification only if the service signed it (Standard Webhooks form, HMAC-SHA256 with the store's secret)
     * a short while ago; null otherwise. It can still arrive twice, or late: read the transaction for the change.
     * @param array<array-key, mixed> $headers From PSR-7, `getallheaders()` or `$_SERVER`.
     * @param string $body Exactly as received: `file_get_contents('php://input')`.
     * @param string $secret The store's secret, the one that signs requests.
     * @param int $toleranceSeconds The largest difference between the time of sending and now, in both directions.
     * @throws \InvalidArgumentException if the secret is empty, because anyone could then sign
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string $secret,
        int $toleranceSeconds = SignedMessage::TOLERANCE_SECONDS,
        ?\DateTimeInterface $now = null,
    ): ?self {
        if ($secret === '') {
            throw new \InvalidArgumentException('the secret is empty');
        }
        $message = new SignedMessage($headers, $body);
        return $message->isSignedBy($secret, $toleranceSeconds, $now) ? self::parse($message->contentType, $body) : null;
    }

    /**
     * Reads the body of a notification, a form (transaction) or JSON (refund); null if it is neither. Anyone can post
     * one: trust only the search's result.
     */
    public static function parse(string $contentType, string $body): ?self
    {
        $isJson = preg_match('~^application/json\b~i', $contentType) === 1;
        $fields = $isJson ? json_decode($body, true) : self::formFields($body);
        if (!is_array($fields)) {
            return null;
        }
        $code = self::identifier($fields[$isJson ? 'transaction-id' : 'transaction-code'] ?? null);
        $refund = $isJson ? self::identifier($fields['refund-id'] ?? null) : null;
        return match ($fields['notification-type'] ?? null) {
            'transaction' => $code === null ? null : new self($code, null, self::nature($fields['refund-nature'] ?? null)),
            'refund' => $code === null || $refund === null ? null : new self($code, $refund, null),
            default => null,
        };
    }

    private static function nature(mixed $value): ?string
    {
        return is_string($value) && preg_match(self::NATURE, $value) === 1 ? $value : null;
    }

    private static function identifier(mixed $value): ?string
    {
        $text = is_int($value) || is_string($value) ? (string) $value : '';
        return preg_match(self::IDENTIFIER, $text) === 1 ? $text : null;
    }

    /**
     * The fields of a form; a repeated name has its last value. PHP's own parser makes arrays of some names.
     * @return array<string, string>
     */
    private static function formFields(string $body): array
    {
        $fields = [];
        foreach (explode('&', $body) as $pair) {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];
            $fields[urldecode($name)] = urldecode($value);
        }
        return $fields;
    }
}
