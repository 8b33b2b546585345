<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** The kind of a cart's item. */
enum ItemType: string
{
    case Digital = 'digital';
    case Physical = 'physical';
    case Service = 'service';
    case Subscription = 'subscription';
}
