import { expect, it } from 'vitest'
import { codeTableOf, meaningOf, declineOf } from '@cofre/provider-kit/card'
import { TEST_CARDS } from '../packages/sandbox/src/test-data/test-data.js'

const declined = TEST_CARDS.filter(({ decline }) => decline?.code !== undefined)

it.each(declined)('the test card $number declines as its brand does', ({ brand, decline }) => {
  const { code } = decline!
  const table = codeTableOf(brand, 'amex')
  expect(declineOf({ ...meaningOf(table, code!)!, code })).toEqual(decline)
})
