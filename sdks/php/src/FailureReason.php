<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** The reason of a request without a result. */
enum FailureReason: string
{
    /** The service returned an error. */
    case Refused = 'refused';
    case TimeOut = 'time-out';
    case Network = 'network';
    /** The response is unreadable. */
    case BrokenAnswer = 'broken-answer';
}
