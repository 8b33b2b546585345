import type { ProviderAccount } from '@cofre/provider-kit/account'
import { isCnpj, isCpf, isPlainText } from '@cofre/contracts'
import { z } from 'zod'
import type { CnabBank, CnabContract } from './remittance/remittance.js'
import { BRADESCO } from './remittance/remittance-bradesco.js'
import { SICOOB } from './remittance/remittance-sicoob.js'

export const CNAB = 'cnab'

/** The differences between banks. */
export interface CnabProfile {
  /** The name for people. */
  readonly company: string
  readonly bank: CnabBank
  /** The bank's term for the agreement's number, and where to find it. */
  readonly agreement: { readonly text: string; readonly help: string; readonly lengthMax: number }
  /** Digits of an account number, without the check digit. */
  readonly accountLengthMax: number
  /** The question about the agreement's wallet, or the only suitable wallet. */
  readonly wallet: { readonly help: string; readonly length: number } | string
  readonly unconfirmed: readonly string[]
}

const UNCONFIRMED = [
  'that its branch accepts the file: each bank checks a test file first',
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
/** Modulus 11 uses a letter for ten. */
const checkDigit = z.string().regex(/^[0-9PX]$/)

/** The stored settings of an account. None of them is a secret. */
export const settingsSchema = z.strictObject({
  profile: z.enum(names),
  /** Return files name their account by it. */
  bank: digits(3).length(3),
  agency: digits(4),
  agencyDigit: checkDigit,
  account: digits(8),
  accountDigit: checkDigit,
  agreement: digits(20),
  wallet: digits(3),
  receiver: z.strictObject({
    name: z.string().trim().min(1).max(100).refine(isPlainText),
    // Files have only capital letters.
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
 * Parses an account as stored.
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
