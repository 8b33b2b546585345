<?php

declare(strict_types=1);

namespace Cofre\Merchant;

/** The form of the requests' signature. */
enum SignatureForm
{
    /** HTTP Message Signatures: a captured request expires after five minutes, and a POST counts once. */
    case Rfc9421;
    /** The specification's `Authorization`, for gateways that support no other. */
    case Specification;
}
