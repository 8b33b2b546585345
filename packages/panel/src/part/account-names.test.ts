import { expect, it } from 'vitest'
import { shownAccount } from '../testing/sandbox.js'
import { namesOf } from './account-names.js'

it('names an account by its label, and if that is ambiguous, by the end of its id, too', () => {
  const names = namesOf([
    shownAccount('a676bb2a-0000', 'Adyen, site'),
    shownAccount('one-1111', 'Adyen'),
    shownAccount('two-2222', 'Adyen'),
    shownAccount('bare-3333', ''),
  ])
  expect(names.of('a676bb2a-0000')).toBe('Adyen, site')
  expect(names.options(['one-1111', 'two-2222', 'bare-3333'])).toEqual({
    'one-1111': 'Adyen …1111',
    'two-2222': 'Adyen …2222',
    'bare-3333': 'Adyen …3333',
  })
  expect(names.of('gone-4444', 'cielo')).toBe('cielo …4444')
  expect(names.of('gone-4444')).toBe('…4444')
})
