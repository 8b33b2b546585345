import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { MARKED_CARD } from './card-data-search.js'
import { type Ports, STORE } from './cofre-process.js'
import {
  type CardInfo,
  cardPurchase,
  depositCard,
  depositCode,
  headersOfOrder,
  merchantAt,
} from './shop-request.js'

const { number, cvv } = MARKED_CARD
const DECLINED = { number: '4000000000000002', cvv: '737' }
const RAW_CARD = { number, cvv, 'expiration-date': '2030-12' }

/** Card parts that no shop should send, with the marked card in them. */
const MALFORMED: readonly unknown[] = [
  { ...RAW_CARD, number: `${number} ` },
  { ...RAW_CARD, number: [number] },
  { ...RAW_CARD, number: Number(number) },
  { ...RAW_CARD, cvv: Number(cvv) },
  { ...RAW_CARD, cvv: number },
  { ...RAW_CARD, 'expiration-date': `${number}-${cvv}` },
  { ...RAW_CARD, 'expiration-date': '2020-01' },
  `${number}/${cvv}`,
  [RAW_CARD],
]

/** The marked security code in fields where it does not belong. */
function codesInWrongFields(ofSaved: object): readonly object[] {
  const fields = ['security-code', 'cvv', 'cvc', 'security-code-token', 'token', 'code']
  return fields.flatMap((field) =>
    [cvv, Number(cvv), [cvv]].map((sent) => ({ ...ofSaved, [field]: sent })),
  )
}

export interface FlowOptions {
  readonly ports: Ports
  /** Port for the shop's requests: the API, or a proxy in front of it. */
  readonly apiPort: number
  /** The API's own origin. */
  readonly signedOrigin: string
  readonly notificationUrl: string
}

/** Reference of a successful purchase: the search must find it wherever purchases are stored. */
export const NEEDLE = 'needle-of-the-canary'

/**
 * Sends the marked card in every possible way, right and wrong. Returns the texts of all refusals.
 */
export async function sendCardEveryWay(options: FlowOptions): Promise<string[]> {
  const { ports, apiPort, signedOrigin, notificationUrl } = options
  const merchant = merchantAt(apiPort, { signedOrigin })
  const refusals: string[] = []
  let references = 0
  const pay = async (info: unknown, reference = `canary-${++references}`) =>
    await merchant.createTransaction(cardPurchase(reference, info as CardInfo, notificationUrl))
  const refused = async (work: Promise<unknown>): Promise<void> => {
    // Empty if the request was not refused.
    const text = await work.then(
      () => '',
      (error: unknown) => inspect(error, { depth: 8 }),
    )
    refusals.push(text)
  }

  const token = await depositCard(ports, MARKED_CARD)
  const bought = await pay({ installments: 1, token, save: true }, NEEDLE)
  const [saved] = bought['payment-methods'] ?? []
  await refused(pay({ installments: 1, token }))
  await pay({ installments: 1, code: saved?.code })
  const ofSaved = { installments: 1, code: saved?.code }
  const withCode = { ...ofSaved, 'security-code-token': await depositCode(ports, cvv) }
  // The sandbox's own saved card is of a brand with shorter codes.
  await pay(withCode).catch((error: unknown) => refusals.push(inspect(error, { depth: 8 })))
  await refused(pay(withCode))
  for (const info of codesInWrongFields(ofSaved)) await refused(pay(info))
  await depositCode(ports, cvv)
  await pay({ installments: 1, 'credit-card': RAW_CARD })
  await pay({ installments: 1, 'credit-card': { ...RAW_CARD, [number]: cvv }, [number]: cvv })
  await pay({ installments: 1, token: await depositCard(ports, DECLINED) })
  await depositCard(ports, MARKED_CARD)

  for (const card of MALFORMED) await refused(pay({ installments: 1, 'credit-card': card }))
  await refused(pay({ installments: 1, token: `${number}.${cvv}` }))
  await refused(pay({ installments: 1, code: number }))
  await refused(pay({ installments: number, token: 'x', 'credit-card': RAW_CARD }))

  await merchant.createRefund({
    'transaction-id': bought.transaction.code,
    'notify-url': notificationUrl,
  })
  await merchant.findTransaction(bought.transaction.code)
  await merchant.binLookup(number.slice(0, 6))
  await refused(merchant.binLookup(number))
  await refused(merchant.cardLookup({ bin: number, amount: 10 }))
  refusals.push(...(await sendWrongBodies(options)))
  return refusals
}

/** Requests that fail before the product finds the card in them. */
async function sendWrongBodies({ ports, apiPort }: FlowOptions): Promise<string[]> {
  const broken = `{"charge":[{"credit-card":${JSON.stringify(RAW_CARD)}`
  const vault = `http://127.0.0.1:${ports.vault}`
  const gateway = `http://127.0.0.1:${apiPort}/transactions`
  const headers = headersOfOrder(broken)
  const wrongSignature = { ...headers, Authorization: `${STORE.id}:${'0'.repeat(64)}` }
  const keyed = { ...headers, 'Idempotency-Key': randomBytes(16).toString('hex') }
  const body = JSON.stringify({ ...MARKED_CARD, month: '12', year: '2030' })
  const answers = await Promise.all([
    fetch(gateway, { method: 'POST', headers, body: broken }),
    fetch(gateway, { method: 'POST', headers: wrongSignature, body: broken }),
    fetch(gateway, { method: 'POST', headers: keyed, body: broken }),
    fetch(`${vault}/direct-tokens`, { method: 'POST', body }),
    fetch(`${vault}/direct-tokens?card=${number}`, { method: 'POST', body: `${number}..a.b.c` }),
    fetch(`${vault}/sessions`, { method: 'POST', body }),
    fetch(`${vault}/cards/${number}/${cvv}`),
  ])
  return await Promise.all(answers.map((answer) => answer.text()))
}
