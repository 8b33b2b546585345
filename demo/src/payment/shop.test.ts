import { expect, it } from 'vitest'
import type { ShopSession } from '../model/session.js'
import { useSession } from './shop.js'

const sessionOf = (id: string): ShopSession => ({
  id,
  cart: new Map(),
  contact: new Map(),
  savedCards: [],
  cardInput: 'own',
})

it('forgets a session that is in use after those that are not', () => {
  const sessions = new Map(['a', 'b', 'c'].map((id) => [id, sessionOf(id)]))
  expect(useSession({ sessions }, 'a')?.id).toBe('a')
  expect([...sessions.keys()]).toEqual(['b', 'c', 'a'])
  expect(useSession({ sessions }, 'unknown')).toBeUndefined()
  expect(sessions.size).toBe(3)
})
