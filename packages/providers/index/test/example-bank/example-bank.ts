// A fictitious bank: its folder shows a provider's files besides its entry in the registry.
import { AccountError, type ProviderAccount } from '@cofre/provider-kit/account'
import { type Answer, Secret, minorUnits } from '@cofre/contracts'
import type {
  PixBankCharge,
  BankConnection,
  BankProvider,
  BankTools,
} from '@cofre/provider-kit/bank'
import {
  type CallAnswer,
  createCallBudget,
  createOutboundClient,
} from '@cofre/provider-kit/outbound'
import { z } from 'zod'

const LIVE = 'https://api.example-bank.invalid'
const key = z.string().regex(/^[\x21-\x7e]{8,64}$/)
const settings = z.strictObject({ name: z.string().min(1), city: z.string().min(1) })
const charge = z
  .looseObject({ cents: z.int(), state: z.enum(['open', 'paid', 'removed']), code: z.string() })
  .transform(({ cents, code, state }): PixBankCharge => {
    return { amountMinor: minorUnits(cents), code, state, payments: [] }
  })

const notice = z.object({ charge: z.string() }).transform((read) => [read.charge])

export const exampleBank: BankProvider = {
  name: 'example-bank',
  methods: ['pix'],
  profiles: [
    {
      name: 'example',
      company: 'Example Bank',
      kinds: ['live', 'simulator'],
      unconfirmed: ['all'],
    },
  ],
  rules: [],
  questions: () => [
    { name: 'name', text: 'Receiver', help: 'Of the store.', kind: 'text', isOptional: false },
    { name: 'city', text: 'City', help: 'Of the store.', kind: 'text', isOptional: false },
    { name: 'key', text: 'API key', help: 'From its page.', kind: 'secret', isOptional: false },
  ],
  readAccount({ answers: { key: given, name, city }, profile }) {
    if (profile !== 'example') throw new AccountError('profile', 'There is no such profile.')
    const read = settings.safeParse({ name, city })
    const [field = 'name'] = read.error?.issues[0]?.path ?? []
    if (!read.success) throw new AccountError(String(field), 'It is missing.')
    const text = given instanceof Secret ? given.reveal() : given
    if (!key.safeParse(text).success) throw new AccountError('key', 'It is no API key.')
    const credentials = new Secret(JSON.stringify({ key: text }))
    return { settings: read.data, credentials, certificateUntilMs: undefined }
  },
  connect,
}

function connect(account: ProviderAccount, tools: BankTools): BankConnection {
  const { clock, log, simulator } = tools
  const receiver = settings.parse(account.settings)
  const apiKey = new Secret(
    z.strictObject({ key }).parse(JSON.parse(account.secrets.credentials.reveal())).key,
  )
  const budget = createCallBudget({ clock })
  const client = createOutboundClient({
    account: account.id,
    budget,
    clock,
    log,
    ...(simulator && { simulatorCaPem: simulator.caPem }),
  })
  const ask = async (method: 'GET' | 'PUT' | 'DELETE', txid: string, cents?: number) => {
    const body = { contentType: 'application/json', text: new Secret(JSON.stringify({ cents })) }
    const url = `${simulator?.origin ?? LIVE}/charges/${txid}`
    const call = { operation: `charge.${method}`, method, url, headers: { 'api-key': apiKey } }
    return answerOf(await client.send(cents === undefined ? call : { ...call, body }))
  }
  const never = () => Promise.resolve({ kind: 'refused', detail: 'not offered' } as const)
  const failed = { kind: 'failed', detail: 'not offered' } as const
  return {
    pix: {
      receiver,
      openCharge: ({ amountMinor, txid }) => ask('PUT', txid, amountMinor),
      findCharge: (txid) => ask('GET', txid),
      removeCharge: (txid) => ask('DELETE', txid),
      refund: never,
      findRefund: never,
      listPayments: never,
    },
    notices: {
      namesIn: (body) => notice.safeParse(body).data,
      register: () => Promise.resolve(failed),
      remove: () => Promise.resolve(failed),
    },
    steps: [
      {
        text: 'Look for a charge',
        async run() {
          const { kind } = await ask('GET', 'none')
          return { isDone: kind === 'absent', detail: `The bank said: ${kind}.` }
        },
      },
    ],
    close: () => client.close(),
  }
}

function answerOf(sent: CallAnswer): Answer<PixBankCharge> {
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'absent' }
  if (sent.kind !== 'done') return sent
  const { body } = sent.value
  const { data } = charge.safeParse(body.kind === 'json' ? body.value : undefined)
  return data === undefined
    ? { kind: 'unknown', detail: 'not understood' }
    : { kind: 'done', value: data }
}
