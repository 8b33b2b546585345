<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** How requests leave. */
interface Transport
{
    /**
     * Sends a request as it is and follows no redirect: another request would not be the one that was signed.
     * @throws TransportFailure when no response came; anything else that is thrown is taken for one
     */
    public function send(#[\SensitiveParameter] HttpRequest $request): HttpResponse;
}
