<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * Every failure of a request. After an {@see OutcomeUnknown}, a transaction or refund may exist nevertheless;
 * otherwise nothing was created.
 */
class MerchantError extends \RuntimeException
{
    /** Descriptions are key texts; any other text stays out of messages and logs. */
    private const KEY_TEXT = '/^\w{1,128}$/D';
    private const LINE = '/^[^\p{Cc}]{1,500}$/Du';

    /** Path of the wrong field: `payer.document.number`. */
    public readonly ?string $property;
    /** The section of the documentation about the first error. */
    public readonly ?string $docUrl;

    /**
     * @param ?int $status HTTP status; null without a response.
     * @param list<ErrorDetail> $errors All reasons; none if a proxy responded instead of the service.
     * @param ?string $origin Origin of the service that was called.
     * @param string $cause The reason without a response, such as `Couldn't connect to server`; empty if unknown.
     */
    public function __construct(
        public readonly FailureReason $reason,
        public readonly ?int $status = null,
        public readonly array $errors = [],
        ?\Throwable $previous = null,
        public readonly ?string $origin = null,
        public readonly string $cause = '',
    ) {
        $this->property = $errors[0]->property ?? null;
        $this->docUrl = $errors[0]->docUrl ?? null;
        parent::__construct($this->sentence(), $errors[0]->code ?? 0, $previous);
    }

    /** True if one of the errors has this code; `getCode()` is the first error's code. */
    public function hasCode(int $code): bool
    {
        return in_array($code, array_map(static fn (ErrorDetail $error) => $error->code, $this->errors), true);
    }

    /** @param string $doubt Text after the response's text. */
    protected function sentence(string $doubt = ''): string
    {
        $cause = $this->cause === '' ? '' : ", {$this->cause}";
        $answer = match (true) {
            $this->status === null => 'no answer from ' . ($this->origin ?? 'the service') . " ({$this->reason->value}$cause)",
            $this->origin !== null && $this->errors === [] =>
                "{$this->origin} answered {$this->status}, and that is no answer of Cofre's API: is the address right?",
            default => "the service answered {$this->status}",
        };
        $reasons = array_map(
            static fn (ErrorDetail $error) => $error->code
                . (preg_match(self::KEY_TEXT, $error->description) === 1 ? " {$error->description}" : '')
                . (preg_match(self::LINE, $error->message ?? '') === 1 ? ": {$error->message}" : ''),
            $this->errors,
        );
        // A message already ends with a full stop.
        $join = static fn (string $said, string $reason) => $said . (str_ends_with($said, '.') ? ' ' : ', ') . $reason;
        return array_reduce($reasons, $join, $answer . $doubt);
    }
}
