import type { Failure } from '../errors/api-error.js'
import { shownValue } from '../errors/shown-value.js'
import { formatAmount, minorUnits, roundToCents, sumOfLines } from '../value/money.js'
import type { TransactionRequest } from './request.js'
import { RULE_SETS, type RequestRules } from './rule-set.js'

/**
 * Rules on several fields of a valid request: one card source (210005), and the sum of the cart
 * (210225), which lenient rules don't check.
 */
export function crossFieldFailures(
  { charge, shipping, cart }: TransactionRequest,
  rules: RequestRules = 'specification',
): Failure[] {
  const failures: Failure[] = []
  charge.forEach(({ 'payment-info': info }, index) => {
    const sources = [info?.token, info?.code, info?.['credit-card']].filter(
      (source) => source !== undefined,
    )
    if (sources.length > 1) {
      failures.push({
        name: 'body_invalid',
        property: `charge[${index}].payment-info`,
        constraint: 'exclusive',
      })
    }
  })
  if (!RULE_SETS[rules].comparesSum) return failures
  const lines = cart.map((item) => ({ quantity: item.quantity, price: item['unit-price'] }))
  const total = roundToCents(sumOfLines(lines))
  const expected = total === undefined ? undefined : total + (shipping?.cost ?? 0)
  const charged = charge.reduce((sum, { amount }) => sum + amount, 0)
  if (charged !== expected) {
    const named = { charged: shownAmount(charged), expected: shownAmount(expected) }
    const areShown = named.charged !== undefined && named.expected !== undefined
    failures.push({
      name: 'charge_payments_amount_sum_invalid',
      property: 'charge',
      constraint: 'sum',
      ...(areShown && { cause: 'compared', named }),
    })
  }
  return failures
}

function shownAmount(cents: number | undefined): string | undefined {
  return Number.isSafeInteger(cents)
    ? shownValue(formatAmount(minorUnits(Number(cents))))
    : undefined
}
