<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** How requests are signed. */
enum SignatureForm
{
    /** HTTP Message Signatures: a captured request expires after five minutes, and a POST counts once. */
    case Rfc9421;
    /** The specification's `Authorization`, for gateways that know no other. */
    case Specification;
}
