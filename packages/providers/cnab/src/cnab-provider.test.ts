import { AccountError, type ProviderAccount } from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import type { BoletoName } from '@cofre/provider-kit/bank'
import { describe, expect, it } from 'vitest'
import { BOLETO_TERMS } from '../../../provider-kit/test/boletos.js'
import { cnab } from './cnab-provider.js'

const ANSWERS = {
  agency: '1172-0',
  accountNumber: '403005-2',
  agreement: '4954321',
  wallet: '06',
  receiverName: 'Loja Um Ltda.',
  receiverDocument: '11222333000181',
}
const WITHOUT_WALLET = Object.fromEntries(
  Object.entries(ANSWERS).filter(([name]) => name !== 'wallet'),
)
const ENTRY = { profile: 'bradesco', kind: 'live', answers: ANSWERS, nowMs: 0 } as const

function connect(settings: ProviderAccount['settings']) {
  const secret = new Secret('')
  return cnab.connect(
    {
      id: 'account-1',
      merchantId: 'store-1',
      provider: 'cnab',
      kind: 'live',
      label: 'Bradesco',
      settings,
      secrets: { credentials: secret, noticeSecret: secret },
      certificateUntilMs: undefined,
      lastTest: undefined,
      disabledAtMs: undefined,
      createdAtMs: 0,
    },
    { clock: Date, log: console, randomBelow: () => 0 },
  )
}

describe('an account whose boletos go by file', () => {
  it('composes barcodes from a person’s answers, and returns the answers', () => {
    const { settings } = cnab.readAccount(ENTRY)
    const { boletoFiles } = connect(settings)
    expect(boletoFiles?.freeField(75_896_452)).toBe('1172060007589645204030050')
    const known = cnab
      .questions('bradesco')
      .map(({ name, answerIn }) => [name, answerIn?.(settings)])
    expect(Object.fromEntries(known)).toEqual(ANSWERS)
  })

  it('has no question about the wallet if only one fits', () => {
    const names = cnab.questions('sicoob').map(({ name }) => name)
    expect(names).not.toContain('wallet')
    const { settings } = cnab.readAccount({
      ...ENTRY,
      profile: 'sicoob',
      answers: { ...WITHOUT_WALLET, agency: '3166-1', agreement: '67261' },
    })
    expect(connect(settings).boletoFiles?.freeField(274_551)).toBe('1316601006726102745510001')
  })

  it('composes an example in its test to compare with the bank’s boleto', async () => {
    const { settings } = cnab.readAccount(ENTRY)
    const [step] = connect(settings).steps
    expect((await step?.run())?.detail).toContain('Our number 09999999999')
  })

  it('writes a document with letters, however a person has typed it', () => {
    const { settings } = cnab.readAccount({
      ...ENTRY,
      profile: 'sicoob',
      answers: { ...WITHOUT_WALLET, agreement: '67261', receiverDocument: '12abc34501de35' },
    })
    const name = 'A'.repeat(15) as BoletoName
    const boleto = {
      ...BOLETO_TERMS,
      kind: 'register' as const,
      number: 1,
      name,
      issuedOn: '2026-11-25',
    }
    const remittance = { sequence: 1, writtenOn: '2026-11-25', instructions: [boleto] }
    const text = connect(settings).boletoFiles?.remittanceFile(remittance)
    expect(text?.split('\r\n')[1]?.slice(1, 17)).toBe('0212ABC34501DE35')
  })

  it.each([
    ['profile', { profile: 'itau' }],
    ['agency', { answers: { ...ANSWERS, agency: '1172' } }],
    ['agency', { answers: { ...ANSWERS, agency: '11720-0' } }],
    ['agency', { answers: { ...ANSWERS, agency: '1172-0-0' } }],
    ['accountNumber', { answers: { ...ANSWERS, accountNumber: '403.005-2' } }],
    ['accountNumber', { answers: { ...ANSWERS, accountNumber: '12345678-2' } }],
    ['agreement', { answers: { ...ANSWERS, agreement: '' } }],
    ['agreement', { answers: { ...ANSWERS, agreement: '1'.repeat(21) } }],
    ['wallet', { answers: { ...ANSWERS, wallet: '9' } }],
    ['wallet', { profile: 'sicoob' }],
    ['receiverName', { answers: { ...ANSWERS, receiverName: 'Loja\u0007' } }],
    ['receiverName', { answers: { ...ANSWERS, receiverName: '東京ストア' } }],
    ['receiverDocument', { answers: { ...ANSWERS, receiverDocument: '11222333000182' } }],
    ['password', { answers: { ...ANSWERS, password: 'x' } }],
  ])('names the question %s that was not answered well', (question, change) => {
    const read = () => cnab.readAccount({ ...ENTRY, ...change })
    expect(read).toThrow(AccountError)
    expect(read).toThrow(expect.objectContaining({ question }))
  })

  it('refuses an account that it has not made', () => {
    expect(() => connect({ profile: 'bradesco', agency: '1172' })).toThrow('account account-1')
  })
})
