import type { ProviderAccount } from '@cofre/provider-kit/account'
import { isCnpj, isCpf, isPlainText } from '@cofre/contracts'
import { z } from 'zod'
import type { CnabBank, CnabContract } from './remittance/remittance.js'
import { BRADESCO } from './remittance/remittance-bradesco.js'
import { SICOOB } from './remittance/remittance-sicoob.js'

export const CNAB = 'cnab'

/** All that differs from bank to bank. */
export interface CnabProfile {
  /** Its name for people. */
  readonly company: string
  readonly bank: CnabBank
  /** How it calls the store's number of the agreement, and where that stands. */
  readonly agreement: { readonly text: string; readonly help: string; readonly lengthMax: number }
  /** Digits of an account, without the check digit. */
  readonly accountLengthMax: number
  /** What it needs to know of the agreement's wallet; else there is one that fits. */
  readonly wallet: { readonly help: string; readonly length: number } | string
  readonly unconfirmed: readonly string[]
}

const UNCONFIRMED = [
  'that its branch takes the file as it is: each bank checks a test file first',
  'after how many days an unpaid boleto is written off: the agreement says so',
]

export const CNAB_PROFILES = {
  bradesco: {
    company: 'Bradesco',
    bank: BRADESCO,
    agreement: {
      text: 'Code of the company',
      help: '"Código da Empresa" of the agreement, up to 20 digits.',
      lengthMax: 20,
    },
    accountLengthMax: 7,
    wallet: { help: '"Carteira" of the agreement, two digits, such as 09.', length: 2 },
    unconfirmed: UNCONFIRMED,
  },
  sicoob: {
    company: 'Sicoob',
    bank: SICOOB,
    agreement: {
      text: 'Code of the beneficiary',
      help: '"Código do beneficiário" with its check digit, up to 7 digits.',
      lengthMax: 7,
    },
    accountLengthMax: 8,
    wallet: '1',
    unconfirmed: UNCONFIRMED,
  },
} as const satisfies Record<string, CnabProfile>

export type CnabProfileName = keyof typeof CNAB_PROFILES

const names = Object.keys(CNAB_PROFILES) as [CnabProfileName, ...CnabProfileName[]]
const digits = (lengthMax: number): z.ZodString => z.string().regex(/^\d+$/).max(lengthMax)
/** Modulus 11 has a letter for ten. */
const checkDigit = z.string().regex(/^[0-9PX]$/)

/** What is kept of an account. Nothing of it is a secret. */
export const settingsSchema = z.strictObject({
  profile: z.enum(names),
  /** By which a return file's account is known. */
  bank: digits(3).length(3),
  agency: digits(4),
  agencyDigit: checkDigit,
  account: digits(8),
  accountDigit: checkDigit,
  agreement: digits(20),
  wallet: digits(3),
  receiver: z.strictObject({
    name: z.string().trim().min(1).max(100).refine(isPlainText),
    // Files know capital letters alone.
    document: z
      .string()
      .refine((text) => isCpf(text) || isCnpj(text))
      .toUpperCase(),
  }),
})

export interface CnabAccount extends CnabContract {
  readonly bank: CnabBank
}

/**
 * Reads an account as it is stored.
 * @throws Error that names fields and no value, for an account that this provider has not made
 */
export function readCnabAccount({ id, provider, settings }: ProviderAccount): CnabAccount {
  const fail = (what: string): Error => new Error(`account ${id} cannot be used: ${what}`)
  if (provider !== CNAB) throw fail(`its provider is not ${CNAB}`)
  const parsed = settingsSchema.safeParse(settings)
  if (!parsed.success)
    throw fail(`settings: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
  return { ...parsed.data, bank: CNAB_PROFILES[parsed.data.profile].bank }
}
