import {
  type InterestChange,
  type InterestRefusal,
  type WantedInterest,
  overruledChanges,
} from '@cofre/gateway/upkeep'
import { SetupError } from '../../config/errors.js'
import { agreeToLoss } from './agreed-loss.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  gatewayConfig,
  operator,
  table,
  timeText,
} from '../line/command.js'
import { unknownStore, withStores } from './opened-stores.js'

interface InterestOptions extends InEnvironment {
  readonly id: string
  readonly brand?: string
  /** Monthly rate, as a fraction. */
  readonly rate?: number
  readonly free?: number
  readonly usual?: true
  readonly from?: number
  readonly replace?: true
}

const REFUSALS: Readonly<Record<InterestRefusal, readonly [problem: string, advice: string]>> = {
  past: ['--from is in the past', 'give a future time, or omit --from to apply it at once'],
  'too-many': [
    'The store has the maximum number of planned changes',
    'wait until earlier ones have taken effect',
  ],
}

/** Shows or changes the interest of installments at a store. @throws SetupError, UsageError */
export async function interest(context: CommandContext, options: InterestOptions): Promise<Shown> {
  const wanted = wantedOf(options)
  if (wanted === undefined) return await show(context, options)
  const { id, environment } = options
  if (options.replace !== true) await confirmDrop(context, options, wanted)
  const result = await withStores(context, options, ({ stores }) =>
    stores.changeInterest(id, wanted, operator()),
  )
  if (result === undefined) throw unknownStore(id, environment)
  if (typeof result === 'string') throw new SetupError(...REFUSALS[result])
  const change = result.at(-1)
  const text =
    change === undefined
      ? ''
      : `Installments of ${id} in ${environment}, ${tableRow(change).join('  ')}.\nA price shown before stays valid for an hour.\n`
  return { data: { id, environment, interest: result.map(shownChange) }, text }
}

/** Asks before later changes are dropped. @throws UsageError, SetupError */
async function confirmDrop(
  context: CommandContext,
  options: InterestOptions,
  wanted: WantedInterest,
): Promise<void> {
  const { id, environment } = options
  const store = await withStores(context, options, ({ stores }) => stores.find(id))
  if (store === undefined) throw unknownStore(id, environment)
  const lost = overruledChanges(store.interest ?? [], wanted, context.clock.now())
  if (lost.length === 0) return
  const named = lost.map(({ terms, fromMs }) => `${ownTerms(terms)} from ${timeText(fromMs)}`)
  await agreeToLoss(context, {
    sentence: `This would drop ${named.join(', ')}, planned for later at ${id} in ${environment}`,
    advice: '--from after them keeps them',
  })
}

/** Undefined if no option changes terms. @throws UsageError */
function wantedOf(options: InterestOptions): WantedInterest | undefined {
  const { brand, rate, free, usual, from, replace } = options
  const hasTerms = rate !== undefined || free !== undefined
  if (usual === true && hasTerms)
    throw new UsageError('--usual cannot be combined with --rate or --free')
  if (usual === true) return { brand, fromMs: from, terms: null }
  if (rate !== undefined)
    return { brand, fromMs: from, terms: { monthlyRate: rate, interestFree: free ?? 1 } }
  if (hasTerms || brand !== undefined || from !== undefined || replace === true)
    throw new UsageError('store interest needs --rate, like 2.99%, or --usual')
  return undefined
}

async function show(context: CommandContext, { id, environment }: InterestOptions): Promise<Shown> {
  const { installmentTerms: usual } = await gatewayConfig(context)
  const store = await withStores(context, { environment }, ({ stores }) => stores.find(id))
  if (store === undefined) throw unknownStore(id, environment)
  const changes = store.interest ?? []
  const data = { id, environment, usual, interest: changes.map(shownChange) }
  const usualText = `Usual in this installation: ${termsText(usual)}\n`
  const rows = changes.map(tableRow)
  const own = rows.length === 0 ? '' : `${table(['Brand', 'Terms', 'From'], rows)}\n`
  return { data, text: `${own}${usualText}` }
}

const shownChange = ({ brand, fromMs, terms }: InterestChange) => ({
  brand: brand ?? null,
  ...(terms ?? { monthlyRate: null, interestFree: null }),
  from: timeText(fromMs),
})

const tableRow = ({ brand, fromMs, terms }: InterestChange): readonly string[] => [
  brand ?? 'all brands',
  ownTerms(terms),
  `from ${timeText(fromMs)}`,
]

const ownTerms = (terms: InterestChange['terms']): string =>
  terms === null ? 'as usual' : termsText(terms)

/** `2.99% a month, 3 free of interest` */
function termsText({ monthlyRate, interestFree }: NonNullable<InterestChange['terms']>): string {
  return `${Number((monthlyRate * 100).toFixed(6))}% a month, ${interestFree} free of interest`
}
