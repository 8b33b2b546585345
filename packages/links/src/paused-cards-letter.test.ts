import { expect, it } from 'vitest'
import { pausedCardsLetters } from './paused-cards-letter.js'

it('a letter of paused cards states where, why and until when, in both languages', async () => {
  const sent: { to: string; subject: string; text: string }[] = []
  const notify = pausedCardsLetters({
    send: (mail) => {
      sent.push(mail)
      return Promise.resolve()
    },
  })
  const beganAtMs = Date.parse('2026-11-28T12:00:00Z')
  const times = { beganAtMs, endsAtMs: beganAtMs + 900_000 }
  const pause = { storeId: 'loja', linkId: 'abc', reference: 'café-1', declines: 20, ...times }
  await notify(pause, ['ana@example.com', 'bia@example.com'])
  expect(sent.map(({ to }) => to)).toEqual(['ana@example.com', 'bia@example.com'])
  expect(sent[0]?.subject).toBe('Cartões pausados nos links de pagamento da loja loja')
  expect(sent[0]?.text).toContain('em: o link de pagamento café-1.')
  expect(sent[0]?.text).toContain('20 cards were declined')
  expect(sent[0]?.text).toContain('09:15')
  await notify({ ...pause, linkId: '', reference: undefined }, ['ana@example.com'])
  expect(sent.at(-1)?.text).toContain('at: all payment links of the store.')
})
