"""Signs requests with the secret of a store."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass

_REFUNDS = re.compile(r"/refunds/?(\?|\Z)")


def authorization(store_id: str, secret: str, target: str, body: bytes | None) -> str:
    """The specification's signature (section 5) of a path with its query, exactly as sent."""
    digest = "" if body is None else hashlib.md5(body, usedforsecurity=False).hexdigest()
    spelled = digest if _REFUNDS.match(target) else base64.b64encode(digest.encode()).decode()
    return f"{store_id}:{hmac.new(secret.encode(), (target + spelled).encode(), hashlib.sha256).hexdigest()}"


@dataclass(frozen=True, kw_only=True)
class SignedParts:
    """The signed parts of a request, and the time."""

    method: str
    uri: str
    """Scheme, host, path and query, exactly as sent."""
    body: bytes | None
    idempotency_key: str | None
    created: int
    """Seconds since 1970."""
    nonce: str | None
    """Never used before; for a POST."""


def message_signature(store_id: str, secret: str, parts: SignedParts) -> dict[str, str]:
    """Headers of HTTP Message Signatures (RFC 9421) over the digest of the body (RFC 9530)."""
    covered = {"@method": parts.method, "@target-uri": parts.uri}
    headers = {}
    if parts.body is not None:
        digest = base64.b64encode(hashlib.sha256(parts.body).digest()).decode()
        headers["Content-Digest"] = covered["content-digest"] = f"sha-256=:{digest}:"
    if parts.idempotency_key is not None:
        covered["idempotency-key"] = parts.idempotency_key
    names = " ".join(f'"{name}"' for name in covered)
    once = "" if parts.nonce is None else f';nonce="{parts.nonce}"'
    parameters = f'({names});created={parts.created};keyid="{store_id}"{once};alg="hmac-sha256"'
    lines = [*covered.items(), ("@signature-params", parameters)]
    base = "\n".join(f'"{name}": {value}' for name, value in lines)
    signature = base64.b64encode(hmac.new(secret.encode(), base.encode(), hashlib.sha256).digest()).decode()
    return {**headers, "Signature-Input": f"cofre={parameters}", "Signature": f"cofre=:{signature}:"}
