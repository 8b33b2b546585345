<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The default of an argument whose null, such as an empty database value, would have too wide an effect. */
enum Omitted
{
    case Argument;
}
