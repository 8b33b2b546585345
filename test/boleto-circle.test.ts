import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { loadBanks } from '@cofre/providers'
import { loadReturnReader } from '@cofre/cnab/report'
import { DAY_MS } from '@cofre/contracts'
import type { BankOfAccount } from '@cofre/provider-kit/bank'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRemittances } from '../packages/boleto-files/src/remittances.js'
import { cancelWaiting } from '../packages/gateway/src/payment/cancellation-service.js'
import { openBoletoGateway } from '../packages/banks/src/payment/boleto-bank.fixture.js'
import { accountOf } from '../packages/banks/src/payment/pix-bank.fixture.js'
import { givenFile, returnFilesAt } from '../packages/boleto-files/src/return-file.fixture.js'
import { boletosByFile } from '../packages/boleto-files/src/boletos-by-file.js'

type Values = Readonly<Record<string, string>>
/** A third-party reader and writer of records, with third-party layouts of Sicoob. */
interface Stranger {
  readonly readYaml: (path: string) => unknown
  readonly makeLine: (layout: unknown, line: string) => Values
  readonly readLine: (layout: unknown, values: Values) => { readonly line: string }
}
const require = createRequire(import.meta.url)
const stranger = require('@banco-br/nodejs-cnab/dist/lib/utils.js') as Stranger
const tables = new URL(
  'cnab400/756/',
  `file://${require.resolve('@banco-br/cnab_yaml/package.json')}`,
)
const layout = (name: string) => stranger.readYaml(fileURLToPath(new URL(`${name}.yml`, tables)))

/** The titles of a remittance file, as a third party reads them. */
function titlesOf(remittance: string): readonly Values[] {
  return remittance
    .split('\r\n')
    .slice(1, -2)
    .map((line) => stranger.makeLine(layout('remessa/detalhe'), line))
}

interface Occurrence {
  readonly title: Values
  readonly code: string
}

/** The bank's return file for the given occurrences. */
function answerOf(...occurrences: readonly Occurrence[]): Buffer {
  const write = (name: string, values: Values): string =>
    stranger.readLine(layout(`retorno/${name}`), values).line
  const lines = [
    write('header_arquivo', {
      agencia: '3166',
      codigo_cliente: '6726',
      codigo_cliente_dv: '1',
      literal_de_servico: 'COBRANCA',
      data_geracao: '23112026',
    }),
    ...occurrences.map(({ title, code }, index) =>
      write('detalhe', {
        numero_controle_participante: title.uso_empresa ?? '',
        nosso_numero: title.nosso_numero?.slice(0, -1) ?? '',
        nosso_numero_dv: title.nosso_numero?.slice(-1) ?? '',
        comando_movimento: code,
        data_liquidacao: '231126',
        vencimento: '241126',
        valor_titulo: '100.00',
        valor_recebido: code === '06' ? '100.00' : '0',
        data_credito: '24112026',
        numero_sequencial: String(index + 2),
      }),
    ),
    write('trailer_arquivo', {
      qtde_registros_detalhe: String(occurrences.length),
      numero_sequencial: String(occurrences.length + 2),
    }),
  ]
  return Buffer.from(lines.map((line) => `${line.padEnd(400)}\r\n`).join(''), 'latin1')
}

const readReturnFile = await loadReturnReader()
const PROVIDER = (await loadBanks()).find(({ name }) => name === 'cnab')!
const { settings: SETTINGS } = PROVIDER.readAccount({
  profile: 'sicoob',
  kind: 'live',
  nowMs: 0,
  answers: {
    agency: '3166-1',
    accountNumber: '84725-6',
    agreement: '67261',
    receiverName: 'Loja Um Ltda.',
    receiverDocument: '11222333000181',
  },
})
const ACCOUNT = { ...accountOf('bank-1'), provider: 'cnab', settings: SETTINGS }

/** A shop whose boletos go to Sicoob by files. */
async function openShop(engine: (typeof TEST_ENGINES)[number]) {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const tools = { clock: Date, log: silent, randomBelow: () => 0 }
  const connection = PROVIDER.connect(ACCOUNT, tools)
  const later: { bankOf?: BankOfAccount } = {}
  const shop = await openBoletoGateway(engine, { bankOf: (account) => later.bankOf!(account) })
  later.bankOf = boletosByFile(() => connection, shop.parts)
  onTestFinished(() => shop.close())
  const bank = connection.boletoFiles!
  const remittances = createRemittances({ ...shop.parts, accountId: 'bank-1', bank })
  return {
    order: async (...references: readonly string[]): Promise<void> => {
      for (const reference of references) expect((await shop.create(reference)).status).toBe(201)
    },
    remit: async (): Promise<readonly Values[]> => {
      const file = await remittances.create()
      if (file === undefined) throw new Error('there is no file')
      await remittances.saved(file.sequence)
      return titlesOf(file.text)
    },
    unanswered: () => remittances.countUnanswered(),
    wait: (days: number) => {
      shop.time.nowMs += days * DAY_MS
    },
    take: async (...occurrences: readonly Occurrence[]) =>
      returnFilesAt(shop.parts).importFile(
        givenFile(await readReturnFile(answerOf(...occurrences))),
      ),
    cancel: async (reference: string) =>
      await cancelWaiting(shop.parts, (await shop.find(reference))!),
    status: async (reference: string) => (await shop.find(reference))?.status,
  }
}

// The gateway's own suites run the statements on both engines.
const ENGINES = TEST_ENGINES.filter(({ name }) => name === 'sqlite')

describe.each(ENGINES)('boletos by files of a bank on $name', (engine) => {
  it('are paid, rejected and cancelled by what the bank answers to our files', async () => {
    const { cancel, order, remit, status, take } = await openShop(engine)
    await order('paid', 'rejected', 'cancelled')
    const [paid = {}, rejected = {}, cancelled = {}] = await remit()
    const taken = await take(
      { title: paid, code: '02' },
      { title: paid, code: '06' },
      { title: rejected, code: '03' },
      { title: cancelled, code: '02' },
    )
    expect(taken.lines.every(({ transactionCode }) => transactionCode !== undefined)).toBe(true)
    expect(await status('paid')).toBe('COMPLETE')
    expect(await status('rejected')).toBe('CANCELLED')
    expect(await cancel('cancelled')).toBe('not-answered')
    const [title = {}] = await remit()
    expect(title.uso_empresa).toBe(cancelled.uso_empresa)
    await take({ title, code: '09' })
    expect(await status('cancelled')).toBe('CANCELLED')
  })

  it('are counted as unanswered if no file of the bank reports their result', async () => {
    const { order, remit, status, take, unanswered, wait } = await openShop(engine)
    await order('order-1', 'order-2')
    const [title = {}] = await remit()
    await order('in-no-file')
    wait(17)
    expect(await unanswered()).toBe(0)
    wait(1)
    expect(await unanswered()).toBe(2)
    await take({ title, code: '06' })
    expect(await unanswered()).toBe(1)
    expect(await status('order-2')).toBe('PENDING')
  })

  it('are known by their numbers where the bank leaves their names out', async () => {
    const { order, remit, status, take } = await openShop(engine)
    const references = Array.from({ length: 19 }, (_, index) => `order-${index + 1}`)
    await order(...references)
    const titles = await remit()
    // The first title's number with its check digit has the same digits as the last title's number.
    expect(titles[0]?.nosso_numero).toBe('000000000019')
    const [last = {}] = titles.slice(-1)
    await take({ title: { ...last, uso_empresa: '' }, code: '06' })
    expect(await status('order-19')).toBe('COMPLETE')
    expect(await status('order-1')).toBe('PENDING')
  })
})
