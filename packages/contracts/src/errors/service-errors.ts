import type { ErrorDefinition } from './error-definition.js'

/** When to ask again after `service_unavailable`: a database that was away for a moment is back, one that fails over soon is. */
export const UNAVAILABLE_RETRY_SECONDS = 2

/** Failures the spec has no code for: of the transport, of the vault's routes, of the sandbox's controls. Ours: 90xxx. */
export const serviceErrors = {
  route_not_found: { code: 90001, status: 404 },
  method_not_allowed: { code: 90002, status: 405 },
  body_too_large: { code: 90003, status: 413 },
  too_many_requests: { code: 90005, status: 429 },
  service_unavailable: { code: 90006, status: 503 },
  request_malformed: { code: 90007, status: 400 },
  headers_too_large: { code: 90008, status: 431 },
  request_timeout: { code: 90009, status: 408 },
  idempotency_key_invalid: { code: 90011, status: 400 },
  idempotency_key_reused: { code: 90012, status: 409 },
  idempotency_key_in_progress: { code: 90013, status: 409 },
  host_not_accepted: { code: 90014, status: 421 },
  session_not_found: { code: 90101, status: 410 },
  direct_token_invalid: { code: 90102, status: 400 },
  card_invalid: { code: 90103, status: 422 },
  sandbox_request_invalid: { code: 90201, status: 400 },
  status_change_not_allowed: { code: 90202, status: 409 },
  service_not_authenticated: { code: 90301, status: 401 },
  service_request_invalid: { code: 90302, status: 400 },
} as const satisfies Record<string, ErrorDefinition>
