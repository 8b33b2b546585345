import { describe, expect, it } from 'vitest'
import { type ErrorName, errorCatalogue } from './catalogue.js'

/** Code and key of every error in section 7 of the spec; `#` stands for `[0-9]`. 20698 has no key there. */
const SPEC = `
10001 header_authorization_missing
10002 header_authorization_bad_format
10003 header_authorization_invalid
10201 header_accept_missing
10202 header_accept_application_missing
10203 header_accept_bad_format
10204 header_accept_format_missing
10205 header_accept_charset_missing
10206 header_accept_application_invalid
10207 header_accept_format_invalid
10208 header_accept_charset_invalid
10209 header_accept_version_invalid
10301 header_contenttype_missing
10302 header_contenttype_not_accepted
10401 header_language_not_accepted
30301 bin_missing
30302 bin_invalid
30303 brand_missing
30304 brand_invalid
30305 country_missing
30306 country_invalid
30307 amount_missing
30308 amount_invalid
30309 currency_missing
30310 currency_invalid
210101 transaction_missing
210102 transaction_invalid
210103 transaction_reference_missing
210104 transaction_reference_invalid
210105 transaction_project_number_missing
210106 transaction_project_number_invalid
210107 transaction_country_missing
210108 transaction_country_invalid
210109 transaction_currency_missing
210110 transaction_currency_invalid
210111 transaction_checkout_type_missing
210112 transaction_checkout_type_invalid
210113 transaction_notification_url_missing
210114 transaction_notification_url_invalid
210115 transaction_redirect_urls_missing
210116 transaction_redirect_urls_invalid
210117 transaction_language_missing
210118 transaction_language_invalid
210119 transaction_redirect_urls_success_missing
210120 transaction_redirect_urls_success_invalid
210121 transaction_redirect_urls_fail_missing
210122 transaction_redirect_urls_fail_invalid
210201 charge_missing
210202 charge_invalid
210203 charge_#_amount_missing
210204 charge_#_amount_invalid
210205 charge_#_payment_method_missing
210206 charge_#_payment_method_invalid
210207 charge_#_payment_method_type_missing
210208 charge_#_payment_method_type_invalid
210209 charge_#_payment_method_sub_type_missing
210210 charge_#_payment_method_sub_type_invalid
210211 charge_#_payment_info_missing
210212 charge_#_payment_info_invalid
210213 charge_#_payment_info_installments_missing
210214 charge_#_payment_info_installments_invalid
210215 charge_#_payment_info_token_missing
210216 charge_#_payment_info_token_invalid
210217 charge_#_payment_info_save_missing
210218 charge_#_payment_info_save_invalid
210219 charge_#_payment_info_code_missing
210220 charge_#_payment_info_code_invalid
210221 charge_#_payment_info_credit_card_invalid
210222 charge_#_payment_info_credit_card_number_invalid
210223 charge_#_payment_info_credit_card_cvv_invalid
210224 charge_#_payment_info_credit_card_expiration_date_invalid
210225 charge_payments_amount_sum_invalid
210302 payer_invalid
210303 payer_name_missing
210304 payer_name_invalid
210305 payer_email_missing
210306 payer_email_invalid
210307 payer_birth_date_missing
210308 payer_birth_date_invalid
210309 payer_ip_missing
210310 payer_ip_invalid
210311 payer_phone_number_missing
210312 payer_phone_number_invalid
210313 payer_document_missing
210314 payer_document_invalid
210315 payer_document_type_missing
210316 payer_document_type_invalid
210317 payer_document_number_missing
210318 payer_document_number_invalid
210319 payer_address_missing
210320 payer_address_invalid
210321 payer_address_street_missing
210322 payer_address_street_invalid
210323 payer_address_number_missing
210324 payer_address_number_invalid
210325 payer_address_complement_missing
210326 payer_address_complement_invalid
210327 payer_address_district_missing
210328 payer_address_district_invalid
210329 payer_address_state_missing
210330 payer_address_state_invalid
210331 payer_address_city_missing
210332 payer_address_city_invalid
210333 payer_address_country_missing
210334 payer_address_country_invalid
210335 payer_address_zip_code_missing
210336 payer_address_zip_code_invalid
210401 shipping_missing
210402 shipping_invalid
210403 shipping_cost_missing
210404 shipping_cost_invalid
210405 shipping_address_missing
210406 shipping_address_invalid
210407 shipping_address_street_missing
210408 shipping_address_street_invalid
210409 shipping_address_number_missing
210410 shipping_address_number_invalid
210411 shipping_address_complement_missing
210412 shipping_address_complement_invalid
210413 shipping_address_district_missing
210414 shipping_address_district_invalid
210415 shipping_address_state_missing
210416 shipping_address_state_invalid
210417 shipping_address_city_missing
210418 shipping_address_city_invalid
210419 shipping_address_country_missing
210420 shipping_address_country_invalid
210421 shipping_address_zip_code_missing
210422 shipping_address_zip_code_invalid
210501 cart_missing
210502 cart_invalid
210503 cart_#_description_missing
210504 cart_#_description_invalid
210505 cart_#_category_missing
210506 cart_#_category_invalid
210507 cart_#_quantity_missing
210508 cart_#_quantity_invalid
210509 cart_#_unit_price_missing
210510 cart_#_unit_price_invalid
210511 cart_#_type_missing
210512 cart_#_type_invalid
210601 unavailable_payment_method
210602 payment_exceed_limits
210603 payer_blacklisted
210604 payer_blacklisted_by_psp
210605 charge_#_payment_info_code_not_found
210005 body_invalid
22100 initial_order_date_invalid
22101 final_order_date_invalid
22102 initial_payment_date_invalid
22103 final_payment_date_invalid
22104 initial_last_status_change_date_invalid
22105 final_last_status_change_date_invalid
22106 initial_order_date_is_mandatory_to_filter_by_final_order_date
22107 final_order_date_must_be_greater_than_initial_order_date
22108 initial_payment_date_is_mandatory_to_filter_by_final_payment_date
22109 final_payment_date_must_be_greater_than_initial_payment_date
22110 initial_last_status_change_date_is_mandatory_to_filter_by_final_last_status_change_date
22111 final_last_status_change_date_must_be_greater_than_initial_last_status_change_date
22112 final_order_date_range_exceeded
22113 final_payment_date_range_exceeded
22114 final_last_status_change_date_range_exceeded
22115 page_invalid
22116 max_page_results_invalid
22117 any_initial_date_is_mandatory_for_multiple_records
22118 status_invalid
22119 status_not_exists
22120 id_invalid
30101 internal_server_error
17078 currency_not_accepted
20601 internal_server_error
20604 partner_not_found
20605 payment_does_not_accept_refund
20607 refund_already_requested
20608 refund_amount_is_greater_than_limit
20609 refund_amount_is_greater_than_transaction
20610 refund_not_found
20612 service_refund_access_not_authorized
20613 transaction_is_reseller
20614 transaction_not_found
20615 transaction_status_not_accept_refund
20621 expired_refund_request
20622 partial_refund_not_allowed
20699 unknown_error
`

const specErrors = SPEC.trim()
  .split('\n')
  .map((line) => {
    const [code = '', key = ''] = line.split(' ')
    return [Number(code), key] as const
  })

const entries = Object.entries(errorCatalogue).map(([name, definition]) => ({
  name,
  key: name,
  ...definition,
}))

const isOurs = (code: number): boolean => code >= 90_000 && code < 100_000

function statusOf(code: number): number {
  switch (code) {
    case 30101:
    case 20601:
    case 20699:
      return 500
    case 20607:
      return 409
    case 20610:
    case 20614:
      return 404
    case 20698:
      return 400
  }
  if (code < 10100) return 401
  if (code < 10300 || code === 10401) return 406
  if (code < 10400) return 415
  return (code >= 20600 && code < 20700) || (code >= 210600 && code < 210700) ? 422 : 400
}

describe('errorCatalogue', () => {
  it('has the 184 codes of the spec and the one without a key', () => {
    expect(new Set(specErrors.map(([code]) => code)).size).toBe(184)
    const codes = new Set(entries.map(({ code }) => code).filter((code) => !isOurs(code)))
    expect([...codes].toSorted((a, b) => a - b)).toEqual(
      [...specErrors.map(([code]) => code), 20698].toSorted((a, b) => a - b),
    )
  })

  it.each(specErrors)('describes %s as %s', (code, key) => {
    const keys = entries.filter((entry) => entry.code === code).map((entry) => entry.key)
    expect(new Set(keys)).toEqual(new Set([key]))
  })

  it('has one name for each code, save for the two causes of a refused reference', () => {
    const namesByCode = Map.groupBy(entries, ({ code }) => code)
    const aliases = [...namesByCode.values()].filter((names) => names.length > 1)
    expect(aliases.map((names) => names.map(({ name }) => name))).toEqual([
      ['transaction_reference_invalid', 'transaction_reference_used'],
    ])
  })

  it('has an HTTP status of the refusals for every name', () => {
    const wrong = entries
      .filter(({ code, name }) => !isOurs(code) && name !== 'transaction_reference_used')
      .filter(({ code, status }) => status !== statusOf(code))
    expect(wrong).toEqual([])
    for (const { status } of entries) expect(status >= 400 && status < 600).toBe(true)
  })

  it.each<[ErrorName, number]>([
    ['transaction_reference_used', 409],
    ['route_not_found', 404],
    ['method_not_allowed', 405],
    ['body_too_large', 413],
    ['too_many_requests', 429],
    ['service_unavailable', 503],
  ])('answers %s with %s', (name, status) => {
    expect(errorCatalogue[name].status).toBe(status)
  })
})
