import { type Clock, minorUnits } from '@cofre/contracts'
import type {
  BankBoleto,
  BoletoBank,
  BoletoName,
  BoletoOrder,
  BoletoReference,
} from '@cofre/provider-kit/bank'
import type { CallPriority } from '@cofre/provider-kit/outbound'
import {
  SETTLE_WITHIN_MS,
  createRefunds,
  ANOTHER_NAME,
  type PixApiAnswer,
  asRefused,
  unknownAfter,
  isPossiblyDone,
  anyAnswerSchema,
} from '@cofre/pix-api/bank'
import type { InterAccount } from './inter-account.js'
import type { InterCallers } from './inter-calls.js'
import { withPayments } from './inter-payments.js'
import {
  type IssueRequest,
  MINIMUM_MINOR,
  boletoAnswerSchema,
  cancelRequest,
  issueAnswerSchema,
  issueRequest,
  listAnswerSchema,
  listQuery,
  slipAnswerSchema,
} from './inter-wire.js'

type Answer = Promise<PixApiAnswer<BankBoleto>>

/** Boletos at Inter; its answers have more details of a failed call. */
export interface InterBank extends BoletoBank {
  issue(order: BoletoOrder): Answer
  find(...of: Parameters<BoletoBank['find']>): Answer
  /** @param priority - Default: no person waits. */
  cancel(boleto: BoletoReference, priority?: CallPriority): Answer
  slip(boleto: BoletoReference): Promise<PixApiAnswer<Uint8Array>>
}

export interface InterBankOptions {
  readonly clock: Clock
  /** How long an unknown result of a refund is looked up. Default 8 s. */
  readonly settleWithinMs?: number | undefined
}

/** Only one boleto has our name, and a bank may list more pages forever. */
const LIST_PAGES_MAX = 20
const CANCEL_REASON = 'Cancelado pela loja'

/** Boletos with PIX at Inter, for one account. */
export function createInterBank(
  { receiver }: Pick<InterAccount, 'receiver'>,
  calls: InterCallers,
  { clock, settleWithinMs = SETTLE_WITHIN_MS }: InterBankOptions,
): InterBank {
  const reading = createReading(calls, clock)
  const { cancel, slip } = createEnds(calls, reading)
  return {
    minimumMinor: minorUnits(MINIMUM_MINOR),
    receiver,
    issue: createIssue(calls, reading),
    find: (boleto, urgency) =>
      reading.find(boleto, urgency === 'background' ? 'background' : 'waited_for'),
    cancel,
    slip,
    ...createRefunds({ call: calls.pix, settleWithinMs }),
  }
}

interface Reading {
  /** The bank's id of a boleto, by our name. */
  readonly listed: (boleto: NamedBoleto, priority: CallPriority) => Promise<PixApiAnswer<string>>
  readonly find: (boleto: BoletoReference, priority: CallPriority) => Answer
}

interface NamedBoleto {
  readonly name: BoletoName
  readonly dueDate: string
}

function createReading({ boletos: call, pix }: InterCallers, clock: Clock): Reading {
  const read = async (bankId: string, name: BoletoName, priority: CallPriority): Answer => {
    const found = await call({
      operation: 'boleto.find',
      method: 'GET',
      path: `/${encodeURIComponent(bankId)}`,
      answer: boletoAnswerSchema,
      priority,
    })
    if (found.kind !== 'done') return found
    if (found.value.name !== name || found.value.bankId !== bankId) return ANOTHER_NAME
    return withPayments(found.value, { pix, clock, priority })
  }
  const listed: Reading['listed'] = async ({ dueDate, name }, priority) => {
    for (let page = 0; page < LIST_PAGES_MAX; page += 1) {
      const answer = await call({
        operation: 'boleto.list',
        method: 'GET',
        path: `?${listQuery(name, dueDate, page)}`,
        answer: listAnswerSchema(page),
        priority,
      })
      // A missing list does not show that the boleto is absent.
      if (answer.kind === 'absent') return { kind: 'unknown', detail: 'the bank has no list' }
      if (answer.kind !== 'done') return answer
      const ours = answer.value.boletos.find((boleto) => boleto.name === name)
      if (ours !== undefined) return { kind: 'done', value: ours.bankId }
      if (!answer.value.hasNext) return { kind: 'absent' }
    }
    return { kind: 'unknown', detail: 'the list of the bank does not end' }
  }
  return {
    listed,
    async find(boleto, priority) {
      const { bankId, name } = boleto
      const known = bankId === undefined ? undefined : await read(bankId, name, priority)
      if (known !== undefined && known.kind !== 'absent') return known
      const found = await listed(boleto, priority)
      if (found.kind !== 'done') return found
      // The list has it, but the look-up does not: the result is unknown.
      const shown = await read(found.value, name, priority)
      return shown.kind === 'absent' ? { kind: 'unknown', detail: 'listed, but not there' } : shown
    },
  }
}

/**
 * The bank accepts no idempotency key of an issue, so it is requested once. It refuses an equal
 * boleto within 30 minutes: after a refusal or no answer, the boleto is looked up by our name.
 */
function createIssue({ boletos: call }: InterCallers, { find }: Reading): InterBank['issue'] {
  return async (order) => {
    const { amountMinor, dueDate, name } = order
    const request = issueRequest(order)
    if (!request.success) return { kind: 'refused', detail: refusalOf(request.error.issues) }
    const asked = await ask(request.data)
    if (asked.kind === 'done') {
      const taken = {
        state: 'issuing',
        bankId: asked.value,
        codes: undefined,
        payments: [],
      } as const
      return { kind: 'done', value: { ...taken, amountMinor, dueDate } }
    }
    if (!isPossiblyDone(asked)) return asked
    const found = await find({ name, bankId: undefined, dueDate }, 'waited_for')
    if (found.kind === 'absent' && asked.kind !== 'unknown') return asRefused(asked)
    if (found.kind !== 'done') return unknownAfter(asked, found)
    return found.value.amountMinor === amountMinor
      ? found
      : { kind: 'refused', detail: 'the bank holds another amount under this name' }
  }

  async function ask(body: IssueRequest): Promise<PixApiAnswer<string>> {
    const answer = issueAnswerSchema
    const sent = await call({ operation: 'boleto.issue', method: 'POST', path: '', body, answer })
    return sent.kind === 'done' ? { kind: 'done', value: sent.value.codigoSolicitacao } : sent
  }
}

function refusalOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  const fields = issues.map(({ path }) => path.join('.')).slice(0, 5)
  return `the bank would not take it: ${fields.join(', ')}`
}

function createEnds(
  { boletos: call }: InterCallers,
  { find, listed }: Reading,
): Pick<InterBank, 'cancel' | 'slip'> {
  const idOf = async (
    boleto: BoletoReference,
    priority: CallPriority,
  ): Promise<PixApiAnswer<string>> =>
    boleto.bankId === undefined ? listed(boleto, priority) : { kind: 'done', value: boleto.bankId }
  return {
    async cancel(boleto, priority = 'background') {
      const id = await idOf(boleto, priority)
      if (id.kind !== 'done') return id
      const asked = await call({
        operation: 'boleto.cancel',
        method: 'POST',
        path: `/${encodeURIComponent(id.value)}/cancelar`,
        body: cancelRequest(CANCEL_REASON),
        answer: anyAnswerSchema,
        priority,
      })
      if (asked.kind === 'not-sent') return asked
      const found = await find({ ...boleto, bankId: id.value }, priority)
      // The bank accepts the cancel and carries it out later; until then the boleto is unchanged.
      if (asked.kind === 'done' || asked.kind === 'absent') return found
      if (found.kind !== 'done') return unknownAfter(asked, found)
      const isStill = ['issuing', 'open', 'not-known'].includes(found.value.state)
      return isStill ? asked : found
    },
    async slip(boleto) {
      const id = await idOf(boleto, 'waited_for')
      if (id.kind !== 'done') return id
      return call({
        operation: 'boleto.slip',
        method: 'GET',
        path: `/${encodeURIComponent(id.value)}/pdf`,
        answer: slipAnswerSchema,
      })
    },
  }
}
