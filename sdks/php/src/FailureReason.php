<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** Why a request has no result. */
enum FailureReason: string
{
    /** The service answered with an error. */
    case Refused = 'refused';
    case TimeOut = 'time-out';
    case Network = 'network';
    /** What came cannot be read. */
    case BrokenAnswer = 'broken-answer';
}
