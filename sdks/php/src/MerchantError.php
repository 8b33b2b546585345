<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/**
 * Every failure of a request. Where it is an {@see OutcomeUnknown} a transaction or refund may exist all the same;
 * otherwise nothing was created.
 */
class MerchantError extends \RuntimeException
{
    /** Descriptions are key texts; anything else in their place stays out of messages and logs. */
    private const KEY_TEXT = '/^\w{1,128}$/D';
    private const LINE = '/^[^\p{Cc}]{1,500}$/Du';

    /** Path of the wrong field: `payer.document.number`. */
    public readonly ?string $property;
    /** The section of the documentation about the first error. */
    public readonly ?string $docUrl;

    /**
     * @param ?int $status HTTP status; null when nothing came.
     * @param list<ErrorDetail> $errors All reasons; none where a proxy responded in the service's place.
     * @param ?string $origin Of the service, where it was asked.
     * @param string $cause Why it has not, such as `Couldn't connect to server`; empty when that is not known.
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

    /** Whether one of the errors has this code; `getCode()` is that of the first. */
    public function hasCode(int $code): bool
    {
        return in_array($code, array_map(static fn (ErrorDetail $error) => $error->code, $this->errors), true);
    }

    /** @param string $doubt What is said after the answer. */
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
        // A message ends with its own full stop.
        $join = static fn (string $said, string $reason) => $said . (str_ends_with($said, '.') ? ' ' : ', ') . $reason;
        return array_reduce($reasons, $join, $answer . $doubt);
    }
}
