import type { ErrorDefinition } from './error-definition.js'

/** Section 7.1 of the specification. */
export const headerErrors = {
  header_authorization_missing: { code: 10001, status: 401 },
  header_authorization_bad_format: { code: 10002, status: 401 },
  header_authorization_invalid: { code: 10003, status: 401 },
  header_accept_missing: { code: 10201, status: 406 },
  header_accept_application_missing: { code: 10202, status: 406 },
  header_accept_bad_format: { code: 10203, status: 406 },
  header_accept_format_missing: { code: 10204, status: 406 },
  header_accept_charset_missing: { code: 10205, status: 406 },
  header_accept_application_invalid: { code: 10206, status: 406 },
  header_accept_format_invalid: { code: 10207, status: 406 },
  header_accept_charset_invalid: { code: 10208, status: 406 },
  header_accept_version_invalid: { code: 10209, status: 406 },
  header_contenttype_missing: { code: 10301, status: 415 },
  header_contenttype_not_accepted: { code: 10302, status: 415 },
  header_language_not_accepted: { code: 10401, status: 406 },
} as const satisfies Record<string, ErrorDefinition>
