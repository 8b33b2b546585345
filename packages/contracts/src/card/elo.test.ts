import creditCardType from 'credit-card-type'
import { describe, expect, it } from 'vitest'
import { brandOf } from './brand.js'

/**
 * Ranges of the six-digit prefixes that a list calls Elo: `506707-506708`.
 * @param isIn - Called for every prefix, in order.
 */
function rangesOf(isIn: (prefix: number) => boolean): readonly string[] {
  const ranges: string[] = []
  let first: number | undefined
  for (let prefix = 100_000; prefix <= 1_000_000; prefix += 1) {
    if (isIn(prefix)) first ??= prefix
    else if (first !== undefined) {
      ranges.push(first === prefix - 1 ? String(first) : `${first}-${prefix - 1}`)
      first = undefined
    }
  }
  return ranges
}

const isOurs = (prefix: number): boolean => brandOf(String(prefix))?.name === 'elo'

/** Braintree's list, npm package credit-card-type. */
const isBraintrees = within(
  creditCardType
    .getTypeInfo('elo')
    .patterns.map((pattern) => (Array.isArray(pattern) ? pattern.join('-') : String(pattern))),
)

/**
 * Elo's ranges in activemerchant/active_merchant (credit_card_methods.rb, ELO_RANGES), from the
 * brand's table, dev.elo.com.br/apis/tabela-de-bins: prefixes that were issued then.
 */
const isTheBrands = within(
  [
    '506707-506708 506715 506717-506722 506724-506736 506739-506743 506745-506747 506753',
    '506774-506778 509000-509007 509009-509014 509020-509030 509035-509042 509044-509089',
    '509091-509101 509104-509807 509831-509877 509897-509900 509918-509964 509971-509986',
    '509995-509999 627780 636297-636298 636368 650031-650033 650035-650051 650057-650081',
    '650406-650439 650485-650504 650506-650538 650552-650598 650720-650727 650901-650922',
    '650928 650938-650939 650946-650978 651652-651704 655000-655019 655021-655057',
  ].flatMap((line) => line.split(' ')),
)

function within(ranges: readonly string[]): (prefix: number) => boolean {
  const ends = ranges.map((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return [first, last] as const
  })
  return (prefix) => ends.some(([first = NaN, last = NaN]) => first <= prefix && prefix <= last)
}

/** Public lists have the whole block; the brand's table had no card of these yet. */
const NOT_HANDED_OUT = 'part of a block of Elo, not handed out when the table was read'
const IN_VISA = 'of Elo inside ranges of Visa; their list asks Visa first'
const ALELO = 'food and meal cards on Elo, which their list calls Alelo'
const LOOKED_UP =
  "Cielo's look-up answers ELO Mais of Bradesco (wirecardBrasil/moip-sdk-js, pull request 13)"
const NEW_BLOCK =
  'taken by ContaAzul/creditcard.js (pull request 148) and renatovico/bin-cc: all of 6509'
const INTEGRATOR =
  "in the brand's table; proposed there in braintree/credit-card-type, pull request 206"
const OLDER = 'in every public list and none of the table: older cards'

describe("Elo's ranges", () => {
  it("are Braintree's, and what that list has not taken yet", () => {
    expect(rangesOf((prefix) => isBraintrees(prefix) && !isOurs(prefix))).toEqual([])
    expect(rangesOf((prefix) => isOurs(prefix) && !isBraintrees(prefix))).toEqual(
      Object.keys({
        '636298': "in the brand's table",
        '636369': LOOKED_UP,
        '650057-650081': INTEGRATOR,
        '650900': NEW_BLOCK,
        '650979-650999': NEW_BLOCK,
        '651680-651704': INTEGRATOR,
      }).toSorted(),
    )
  })

  it("are all of the brand's table, and what that leaves out", () => {
    expect(rangesOf((prefix) => isTheBrands(prefix) && !isOurs(prefix))).toEqual([])
    const more: Readonly<Record<string, string>> = {
      '401178-401179': IN_VISA,
      '431274': IN_VISA,
      '438935': IN_VISA,
      '451416': IN_VISA,
      '457393': IN_VISA,
      '457631-457632': IN_VISA,
      '504175': OLDER,
      '506699-506706': ALELO,
      '506709-506714': ALELO,
      '506716': ALELO,
      '506723': NOT_HANDED_OUT,
      '506737-506738': NOT_HANDED_OUT,
      '506744': NOT_HANDED_OUT,
      '506748-506752': ALELO,
      '506754-506773': ALELO,
      '509008': NOT_HANDED_OUT,
      '509015-509019': ALELO,
      '509031-509034': NOT_HANDED_OUT,
      '509043': NOT_HANDED_OUT,
      '509090': NOT_HANDED_OUT,
      '509102-509103': NOT_HANDED_OUT,
      '509808-509830': NOT_HANDED_OUT,
      '509878-509896': ALELO,
      '509901-509917': NOT_HANDED_OUT,
      '509965-509970': NOT_HANDED_OUT,
      '509987-509994': ALELO,
      '636369': LOOKED_UP,
      '650405': NOT_HANDED_OUT,
      '650505': NOT_HANDED_OUT,
      '650541-650551': NOT_HANDED_OUT,
      '650700-650718': OLDER,
      '650900': NEW_BLOCK,
      '650923-650927': NOT_HANDED_OUT,
      '650929-650937': NOT_HANDED_OUT,
      '650940-650945': NOT_HANDED_OUT,
      '650979-650999': NEW_BLOCK,
      '655058': NOT_HANDED_OUT,
    }
    expect(rangesOf((prefix) => isOurs(prefix) && !isTheBrands(prefix))).toEqual(
      Object.keys(more).toSorted(),
    )
  })

  it.each(['6363690000000006', '6509780000000000', '6509990000000000'])('have %s', (number) => {
    expect(brandOf(number)?.name).toBe('elo')
  })
})
