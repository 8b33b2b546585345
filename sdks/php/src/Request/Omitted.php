<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The default of an argument for which null, as of a row without a value, would do more than was meant. */
enum Omitted
{
    case Argument;
}
