<?php

declare(strict_types=1);

namespace Cofre\Merchant\Request;

/** What an item of a cart is. */
enum ItemType: string
{
    case Digital = 'digital';
    case Physical = 'physical';
    case Service = 'service';
    case Subscription = 'subscription';
}
