<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Http\CurlTransport;
use Cofre\Merchant\Http\HttpRequest;
use Cofre\Merchant\Http\HttpResponse;
use Cofre\Merchant\Http\Transport;
use Cofre\Merchant\Http\TransportFailure;
use Cofre\Merchant\Response\Wire;

/** The connection to the service. Signs requests, and retries them if that is safe. */
final class Connection
{
    private const VERSION = '0.2.0';
    private const FIRST_WAIT_SECONDS = 0.5;
    private const WAIT_SECONDS_MAX = 8.0;
    /** An earlier copy of the request is still in progress, or a proxy sent a copy with the same nonce. */
    private const AFTER_A_COPY = [90013, 90017];
    /** Returned before the service looks for an earlier request with the same key. */
    private const STATUSES_BEFORE_THE_KEY = [401, 403, 408, 421, 429, 431];
    private const TOO_MANY_REQUESTS = 429;
    private const WARNINGS_MAX = 100;
    /** The values of `Accept-Language` that the API accepts, and the short name of English. */
    private const LANGUAGES = ['en', 'pt-BR', 'en-US', 'pt-PT', 'es-ES', 'tr-TR'];

    private readonly string $origin;
    private readonly string $signedOrigin;
    /** @var \Closure(): string */
    private readonly \Closure $secret;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl Origin of the production or sandbox API, without a path: `https://api.example.com`.
     * @param string|(\Closure(): string) $secret Signs requests and never leaves this process. A function is called
     *   before each request, so that a rotated secret is used at once.
     * @param ?string $signedOrigin The service's own origin, which is signed, if it differs from $baseUrl: for a shop
     *   that uses an address inside its network.
     * @param string $vendor The media type's vendor segment.
     * @param ?Transport $transport Default: ext-curl.
     * @param float $timeoutSeconds Limits one exchange.
     * @param float $retryBudgetSeconds No retry begins later than this after the first try; 0 disables retries.
     * @param ?string $language Of the errors' messages: `pt-BR` or `en`.
     * @throws \InvalidArgumentException if $baseUrl or $signedOrigin is not an http or https origin, a text is empty
     *   or can't be in a header, a time is not a number from 0, or a choice is not allowed
     */
    public function __construct(
        string $baseUrl,
        private readonly string $storeId,
        #[\SensitiveParameter] string|\Closure $secret,
        private readonly SignatureForm $signature = SignatureForm::Rfc9421,
        ?string $signedOrigin = null,
        private readonly string $vendor = 'cofre',
        ?Transport $transport = null,
        private readonly float $timeoutSeconds = 30.0,
        private readonly float $retryBudgetSeconds = 60.0,
        private readonly ?string $language = null,
        private readonly Machine $machine = new Machine(),
    ) {
        $this->origin = self::origin('baseUrl', $baseUrl);
        $this->signedOrigin = $signedOrigin === null ? $this->origin : self::origin('signedOrigin', $signedOrigin);
        self::requireHeaderText('storeId', $storeId);
        self::requireHeaderText('vendor', $vendor);
        self::requireChoice('language', self::LANGUAGES, $language);
        if (is_string($secret)) {
            self::requireText('secret', $secret);
        }
        foreach (['timeoutSeconds' => $timeoutSeconds, 'retryBudgetSeconds' => $retryBudgetSeconds] as $name => $seconds) {
            // A NaN would be no limit.
            if (!($seconds >= 0)) {
                throw new \InvalidArgumentException("$name must be a number from 0");
            }
        }
        $this->secret = is_string($secret) ? static fn (): string => $secret : $secret;
        $this->transport = $transport ?? new CurlTransport();
    }

    /**
     * @internal
     * @template Result
     * @param callable(Wire): Result $read
     * @param 'v1'|'v2' $version
     * @return Result
     * @throws MerchantError
     */
    public function get(string $target, callable $read, string $version = 'v1'): mixed
    {
        return $this->repeat(fn () => $this->exchange($version, $target, null, null, $read), true);
    }

    /**
     * Posts a search, which changes nothing.
     * @internal
     * @template Result
     * @param array<string, mixed> $body
     * @param callable(Wire): Result $read
     * @return Result
     * @throws MerchantError
     */
    public function search(string $target, #[\SensitiveParameter] array $body, callable $read): mixed
    {
        $text = self::json($body);
        return $this->repeat(fn () => $this->exchange('v2', $target, $text, null, $read), true);
    }

    /**
     * Creates something once, also with retries.
     * @internal
     * @template Result
     * @param array<string, mixed> $body
     * @param callable(Wire): Result $read
     * @return Result
     * @throws OutcomeUnknown
     * @throws MerchantError
     */
    public function create(string $target, #[\SensitiveParameter] array $body, string $reference, string $idempotencyKey, callable $read): mixed
    {
        $text = self::json($body);
        $isInDoubt = false;
        try {
            return $this->repeat(fn () => $this->exchange('v2', $target, $text, $idempotencyKey, $read), true, $isInDoubt);
        } catch (MerchantError $error) {
            throw $isInDoubt ? new OutcomeUnknown($reference, $idempotencyKey, $error) : $error;
        }
    }

    /**
     * Controls the sandbox, where every request takes effect, also a repeated one.
     * @internal
     * @template Result
     * @param array<string, mixed> $body
     * @param callable(Wire): Result $read
     * @return Result
     * @throws MerchantError
     */
    public function control(string $target, array $body, callable $read): mixed
    {
        $text = self::json($body);
        return $this->repeat(fn () => $this->exchange('v1', $target, $text, null, $read), false);
    }

    /**
     * Refuses an empty text: without strict types, an unset environment variable is one.
     * @internal
     * @throws \InvalidArgumentException
     */
    public static function requireText(string $name, #[\SensitiveParameter] string $text): void
    {
        if ($text === '') {
            throw new \InvalidArgumentException("$name must not be empty");
        }
    }

    /**
     * Refuses a line break, which would begin another header.
     * @internal
     * @throws \InvalidArgumentException
     */
    public static function requireHeaderText(string $name, string $text): void
    {
        self::requireText($name, $text);
        if (preg_match('/^[!-~]+$/D', $text) !== 1) {
            throw new \InvalidArgumentException("$name must be visible ASCII characters without spaces");
        }
    }

    /**
     * @internal
     * @param non-empty-list<string|int> $allowed
     * @throws \InvalidArgumentException for another value than null or one of these
     */
    public static function requireChoice(string $name, array $allowed, string|int|null $value): void
    {
        if ($value !== null && !in_array($value, $allowed, true)) {
            $last = array_pop($allowed);
            throw new \InvalidArgumentException("$name must be " . implode(', ', $allowed) . " or $last");
        }
    }

    /**
     * A unique name.
     * @internal
     */
    public function identifier(): string
    {
        return bin2hex($this->machine->randomBytes(16));
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['origin' => $this->origin, 'storeId' => $this->storeId, 'secret' => '[secret]'];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('a connection holds a secret and is not written down');
    }

    /**
     * An error after an attempt in doubt becomes the cause of that attempt's error.
     * @template Result
     * @param callable(): Result $try
     * @param bool $isRepeatable True if a request with an unknown outcome may be sent again.
     * @param bool $isInDoubt Set if the request may have succeeded although it failed here.
     * @return Result
     */
    private function repeat(#[\SensitiveParameter] callable $try, bool $isRepeatable, bool &$isInDoubt = false): mixed
    {
        $begun = $this->machine->elapsedSeconds();
        $last = null;
        for ($wait = self::FIRST_WAIT_SECONDS;; $wait = min(2 * $wait, self::WAIT_SECONDS_MAX)) {
            try {
                return $try();
            } catch (FailedAttempt $failed) {
                $last = $failed->error;
                $isInDoubt = match (true) {
                    self::leavesDoubt($failed->error) => true,
                    self::isDecided($failed->error) => false,
                    default => $isInDoubt,
                };
                $mayRepeat = $failed->error->status === self::TOO_MANY_REQUESTS
                    || ($isRepeatable && self::leavesDoubt($failed->error));
                $pause = max($failed->retryAfterSeconds, $wait * (0.5 + $this->chance() / 2));
                $spent = $this->machine->elapsedSeconds() - $begun;
                if (!$mayRepeat || $spent + $pause > $this->retryBudgetSeconds) {
                    throw $failed->error;
                }
                $this->machine->sleep($pause);
            } catch (\Throwable $cause) {
                throw $isInDoubt ? new MerchantError($last->reason, $last->status, $last->errors, $cause, $last->origin, $last->cause) : $cause;
            }
        }
    }

    private static function leavesDoubt(MerchantError $error): bool
    {
        return $error->reason !== FailureReason::Refused || $error->status >= 500
            || array_filter(self::AFTER_A_COPY, $error->hasCode(...)) !== [];
    }

    /** True if the service has decided this request itself, after all earlier ones with its key. */
    private static function isDecided(MerchantError $error): bool
    {
        return $error->errors !== [] && !in_array($error->status, self::STATUSES_BEFORE_THE_KEY, true);
    }

    /** Between 0 and 1. */
    private function chance(): float
    {
        return ord($this->machine->randomBytes(1)) / 255;
    }

    /**
     * One try.
     * @template Result
     * @param callable(Wire): Result $read
     * @return Result
     * @throws FailedAttempt
     */
    private function exchange(string $version, string $target, #[\SensitiveParameter] ?string $body, ?string $key, callable $read): mixed
    {
        $method = $body === null ? 'GET' : 'POST';
        $headers = [
            'Accept' => "application/vnd.{$this->vendor}.$version+json; charset=UTF-8",
            'Content-Type' => 'application/json',
            'User-Agent' => 'cofre-merchant-php/' . self::VERSION,
        ]
            + ($key === null ? [] : ['Idempotency-Key' => $key])
            + ($this->language === null ? [] : ['Accept-Language' => $this->language])
            + $this->signatureOf($method, $target, $body, $key);
        $request = new HttpRequest($method, $this->origin . $target, $headers, $body, $this->timeoutSeconds);
        try {
            $response = $this->transport->send($request);
        } catch (\Throwable $failure) {
            $isTimeOut = $failure instanceof TransportFailure && $failure->isTimeOut;
            $reason = $isTimeOut ? FailureReason::TimeOut : FailureReason::Network;
            // The text of another client's failure may contain the URL with its data.
            $cause = $failure instanceof TransportFailure ? $failure->reason : (new \ReflectionClass($failure))->getShortName();
            $error = new MerchantError($reason, previous: $failure, origin: $this->origin, cause: $isTimeOut ? '' : $cause);
            throw new FailedAttempt($error);
        }
        self::warnOf($response->headers['cofre-unknown-fields'] ?? '');
        return $this->result($response, $read);
    }

    /**
     * @template Result
     * @param callable(Wire): Result $read
     * @return Result
     * @throws FailedAttempt
     */
    private function result(HttpResponse $response, callable $read): mixed
    {
        $json = json_decode($response->body, true);
        if ($response->status < 200 || $response->status > 299) {
            $after = $response->headers['retry-after'] ?? '';
            $error = new MerchantError(FailureReason::Refused, $response->status, ErrorDetail::readAll($json), origin: $this->origin);
            throw new FailedAttempt($error, preg_match('/^\d{1,6}$/D', $after) === 1 ? (float) $after : 0.0);
        }
        try {
            return $read(Wire::of($json));
        } catch (\UnexpectedValueException $unread) {
            $error = new MerchantError(FailureReason::BrokenAnswer, $response->status, previous: $unread, origin: $this->origin);
            throw new FailedAttempt($error);
        }
    }

    /** Warns once about each field of a request that the service ignored: it may be misspelt. */
    private static function warnOf(string $unknownFields): void
    {
        static $warned = [];
        foreach (array_filter(array_map('trim', explode(',', $unknownFields))) as $field) {
            if (isset($warned[$field]) || count($warned) === self::WARNINGS_MAX) {
                continue;
            }
            $warned[$field] = true;
            try {
                trigger_error("the service does not know the field $field", E_USER_WARNING);
            } catch (\Throwable) {
                // An error handler that throws must not lose a payment.
            }
        }
    }

    /** @return array<string, string> */
    private function signatureOf(string $method, string $target, #[\SensitiveParameter] ?string $body, ?string $key): array
    {
        $secret = ($this->secret)();
        self::requireText('secret()', $secret);
        if ($this->signature === SignatureForm::Specification) {
            return ['Authorization' => RequestSigner::authorization($this->storeId, $secret, $target, $body)];
        }
        $nonce = $body === null ? null : rtrim(strtr(base64_encode($this->machine->randomBytes(16)), '+/', '-_'), '=');
        $created = $this->machine->now()->getTimestamp();
        $parts = new SignedParts($method, $this->signedOrigin . $target, $body, $key, $created, $nonce);
        return RequestSigner::messageSignature($this->storeId, $secret, $parts);
    }

    private static function origin(string $name, string $text): string
    {
        $pattern = '~^(https?)://([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?/?$~Di';
        if (preg_match($pattern, $text, $parts) !== 1) {
            throw new \InvalidArgumentException("$name must be an http or https origin without a path");
        }
        $scheme = strtolower($parts[1]);
        $port = (int) ($parts[3] ?? 0);
        $isUsual = $port === 0 || $port === ($scheme === 'https' ? 443 : 80);
        return $scheme . '://' . strtolower($parts[2]) . ($isUsual ? '' : ":$port");
    }

    /**
     * @param array<string, mixed> $body
     * @throws \InvalidArgumentException if a text is not UTF-8, or a number is not finite
     */
    private static function json(#[\SensitiveParameter] array $body): string
    {
        // An installation that prints 42.9 as 42.899999999999999 would charge nothing.
        $precision = ini_set('serialize_precision', '-1');
        try {
            // To PHP, an empty array is a list.
            return json_encode($body === [] ? new \stdClass() : $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        } catch (\JsonException $failure) {
            // Without the exception itself, whose trace contains the body.
            throw new \InvalidArgumentException("a request cannot be sent as JSON: {$failure->getMessage()}");
        } finally {
            if ($precision !== false) {
                ini_set('serialize_precision', $precision);
            }
        }
    }
}
