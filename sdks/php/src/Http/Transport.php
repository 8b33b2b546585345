<?php

declare(strict_types=1);

namespace Cofre\Merchant\Http;

/** The transport of requests. */
interface Transport
{
    /**
     * Sends a request unchanged and follows no redirect: the signature is only valid for this request.
     * @throws TransportFailure if no response came; any other exception is treated as one
     */
    public function send(#[\SensitiveParameter] HttpRequest $request): HttpResponse;
}
