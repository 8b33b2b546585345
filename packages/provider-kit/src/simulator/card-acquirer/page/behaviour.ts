import { z } from 'zod'
import type { AcquirerConditions } from '../acquirer.js'
import type { Setting, ShownAcquirer } from './shown-payment.js'

/** The settings of every acquirer. The first of the values is the default. */
export const COMMON_CHOICES = {
  notices: ['once', 'twice', 'late', 'never'],
  delayMs: ['0', '2000', '18000', '30000'],
  connection: ['kept', 'cut-before', 'cut-after', 'away'],
  links: ['free', 'strict'],
} as const

/** Parses the settings. */
export const COMMON_SHAPE = {
  notices: z.enum(COMMON_CHOICES.notices),
  delayMs: z.enum(COMMON_CHOICES.delayMs).transform(Number),
  connection: z.enum(COMMON_CHOICES.connection),
  links: z.enum(COMMON_CHOICES.links).default('free'),
}

interface Behaviour<Name extends Setting['name']> {
  /** In the order of the page. */
  readonly names: readonly Name[]
  readonly choices: Readonly<Record<Name, readonly string[]>>
  readonly schema: z.ZodType<AcquirerConditions>
  readonly conditions: AcquirerConditions & Readonly<Record<Name, unknown>>
  /** Runs after each change. */
  readonly applied: () => void
}

/** The section of an acquirer's page that changes its behaviour. */
export function behaviourOf<Name extends Setting['name']>({
  names,
  choices,
  schema,
  conditions,
  applied,
}: Behaviour<Name>): Pick<ShownAcquirer, 'settings' | 'apply'> {
  return {
    settings: () =>
      names.map((name) => ({ name, values: choices[name], chosen: String(conditions[name]) })),
    apply(fields) {
      Object.assign(conditions, schema.parse(fields))
      applied()
    },
  }
}
