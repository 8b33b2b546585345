import type { ErrorDefinition } from './error-definition.js'

/** Section 7.5 of the specification; 30101 is shared by every interface but refunds. */
export const searchErrors = {
  initial_order_date_invalid: { code: 22100, status: 400 },
  final_order_date_invalid: { code: 22101, status: 400 },
  initial_payment_date_invalid: { code: 22102, status: 400 },
  final_payment_date_invalid: { code: 22103, status: 400 },
  initial_last_status_change_date_invalid: { code: 22104, status: 400 },
  final_last_status_change_date_invalid: { code: 22105, status: 400 },
  initial_order_date_is_mandatory_to_filter_by_final_order_date: { code: 22106, status: 400 },
  final_order_date_must_be_greater_than_initial_order_date: { code: 22107, status: 400 },
  initial_payment_date_is_mandatory_to_filter_by_final_payment_date: { code: 22108, status: 400 },
  final_payment_date_must_be_greater_than_initial_payment_date: { code: 22109, status: 400 },
  initial_last_status_change_date_is_mandatory_to_filter_by_final_last_status_change_date: {
    code: 22110,
    status: 400,
  },
  final_last_status_change_date_must_be_greater_than_initial_last_status_change_date: {
    code: 22111,
    status: 400,
  },
  final_order_date_range_exceeded: { code: 22112, status: 400 },
  final_payment_date_range_exceeded: { code: 22113, status: 400 },
  final_last_status_change_date_range_exceeded: { code: 22114, status: 400 },
  page_invalid: { code: 22115, status: 400 },
  max_page_results_invalid: { code: 22116, status: 400 },
  any_initial_date_is_mandatory_for_multiple_records: { code: 22117, status: 400 },
  status_invalid: { code: 22118, status: 400 },
  status_not_exists: { code: 22119, status: 400 },
  id_invalid: { code: 22120, status: 400 },
  internal_server_error: { code: 30101, status: 500 },
  currency_not_accepted: { code: 17078, status: 400 },
} as const satisfies Record<string, ErrorDefinition>
