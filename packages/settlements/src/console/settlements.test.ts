import { createHash } from 'node:crypto'
import type { SettledLine, SettlementFile } from '../model/settlement.js'
import { createSettlementFormats } from '../model/settlement-formats.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Developer,
  NOW_MS,
  PANEL_URL,
  STORE_ID,
  cookieHeader,
  hiddenValue,
  shownAccount,
  visibleText,
} from '@cofre/panel/testing'
import { openSettlements } from './settlements.fixture.js'

const PLACE = `/production/${STORE_ID}`
const UPLOAD = `${PLACE}/settlements/files`
const TODAY = Math.floor(NOW_MS / 86_400_000)

const FILE: SettlementFile = {
  id: 1,
  format: 'adyen',
  accountId: 'adyen-1',
  name: 'report.csv',
  bytes: 2048,
  state: 'ready',
  refusal: undefined,
  lines: 2,
  results: { matched: 1, different: 1 },
  fromDay: TODAY - 1,
  toDay: TODAY,
  actor: 'person:per_finance',
  uploadedAtMs: NOW_MS,
}

const LINE: SettledLine = {
  fileId: 1,
  line: 3,
  kind: 'sale',
  source: 'adyen',
  name: 'PSP1',
  installment: 1,
  installments: 3,
  brand: 'visa',
  day: TODAY,
  grossMinor: -9_000,
  feeMinor: 300,
  netMinor: -9_300,
  result: 'different',
  difference: 'amount',
  expectedMinor: 10_000,
  transactionCode: 1001,
  resolution: undefined,
}

let opened: ReturnType<typeof openSettlements>
let finance: Developer
beforeEach(() => {
  opened = openSettlements()
  finance = opened.newPerson('finance')
})

const textAt = async (path: string, person = finance): Promise<string> =>
  visibleText((await person.get(`${PLACE}${path}`)).html)

const tokenOf = async (person: Developer): Promise<string> =>
  hiddenValue((await person.get(`${PLACE}/payments`)).html, 'csrf')

/** A form with a file, its parts in the given order. */
function formOf(parts: readonly (readonly [name: string, value: string | File])[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

const file = (content: string, name = 'report.csv') => new File([content], name)

async function post(person: Developer, body: BodyInit, headers: Record<string, string> = {}) {
  return await opened.app.request(`${PANEL_URL}${UPLOAD}`, {
    method: 'POST',
    body,
    headers: {
      Cookie: cookieHeader(person),
      Host: new URL(PANEL_URL).host,
      'Accept-Language': 'en',
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    },
    // `fetch` requires this for a stream as the body.
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
}

const uploads = () => opened.held.writes.filter((write) => write.startsWith('upload'))

describe('an uploaded file', () => {
  const fields = async (person = finance) =>
    [
      ['csrf', await tokenOf(person)],
      ['format', 'adyen'],
      ['account', ''],
    ] as const

  it('is read as it arrives, and compared; its page shows that', async () => {
    opened.held.settlements.files.push(FILE)
    const answer = await post(finance, formOf([...(await fields()), ['file', file('100\n-50\n')]]))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe(`${UPLOAD}/1`)
    const [written = ''] = uploads()
    expect(JSON.parse(written.replace('upload ', ''))).toEqual({
      storeId: STORE_ID,
      format: 'adyen',
      name: 'report.csv',
      actor: 'person:per_finance',
      lines: '1:100 2:-50',
      bytes: 8,
      sha256: createHash('sha256').update('100\n-50\n').digest('hex'),
    })
    expect(opened.acts).toEqual([
      'production store-1 person:per_finance settlements:upload - asked from 192.0.2.1 format: adyen, account: ',
      '1 done',
    ])
  })

  it('is read past what refuses it, so that the browser sees the answer', async () => {
    let sent = 0
    const long = `word\n${'1\n'.repeat(500_000)}`
    const form = new Response(formOf([...(await fields()), ['file', file(long)]]))
    const type = form.headers.get('Content-Type') ?? ''
    const counted = form.body!.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.length
          controller.enqueue(chunk)
        },
      }),
    )
    opened.settlements.upload = async (_, { lines }) => {
      await expect(lines[Symbol.asyncIterator]().next()).rejects.toThrow('bad-value')
      return { kind: 'refused', id: 1, refusal: { problem: 'bad-value', line: 1 } }
    }
    const answer = await post(finance, counted, { 'Content-Type': type })
    expect(answer.status).toBe(303)
    expect(sent).toBeGreaterThan(long.length)
  })

  it('has nothing of a card in its name', async () => {
    const form = formOf([...(await fields()), ['file', file('1', 'C:\\of 4111111111111111.csv')]])
    await post(finance, form)
    expect(uploads().join('')).not.toContain('4111111111111111')
  })

  it.each([
    ['no file', [['format', 'adyen']], 'no-file'],
    ['a format that is none', [['format', 'x']], 'form-incomplete'],
    [
      'an account that is not the store’s',
      [
        ['format', 'adyen'],
        ['account', 'adyen-9'],
      ],
      'form-incomplete',
    ],
  ] as const)('with %s is refused', async (problem, parts, flash) => {
    const csrf = await tokenOf(finance)
    const sent = problem === 'no file' ? [] : [['file', file('1')] as const]
    const here = ['here', `${PLACE}/settlements`] as const
    const answer = await post(finance, formOf([['csrf', csrf], here, ...parts, ...sent]))
    expect(answer.status).toBe(303)
    expect(answer.headers.getSetCookie().join()).toContain(flash)
    expect(uploads()).toEqual([])
  })

  it('is taken with the token of its form alone, which comes first', async () => {
    const [csrf, ...others] = await fields()
    const forms = [
      formOf([...others, ['file', file('1')]]),
      formOf([['csrf', 'forged'], ...others, ['file', file('1')]]),
      formOf([...others, ['file', file('1')], csrf]),
    ]
    for (const form of forms) expect((await post(finance, form)).status).toBe(403)
    const good = formOf([csrf, ...others, ['file', file('1')]])
    expect((await post(finance, good, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect(uploads()).toEqual([])
  })

  it.each([
    ['no form', '{}', 'application/json'],
    ['no parts', 'csrf=1', 'multipart/form-data'],
    [
      'an unending part',
      '--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\na',
      'multipart/form-data; boundary=x',
    ],
  ])('that is %s is no form', async (_, body, type) => {
    expect((await post(finance, body, { 'Content-Type': type })).status).toBe(400)
    expect(uploads()).toEqual([])
  })

  const HEAD = (csrf: string, file: string) =>
    [
      ['csrf', csrf],
      ['format', 'adyen'],
    ]
      .map(
        ([name, value]) =>
          `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('') + `--x\r\nContent-Disposition: form-data; name="file"${file}\r\n\r\n1\n`
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' }

  it.each([
    ['ends without its boundary', '; filename="a.csv"', 400],
    ['has bytes without a name', '\r\nContent-Type: application/octet-stream', 303],
  ])('that %s ends no process', async (_, file, status) => {
    const head = HEAD(await tokenOf(finance), file)
    const whole = status === 303 ? `${head}\r\n--x--\r\n` : head
    const answer = await post(finance, whole, type)
    expect([status, 500]).toContain(answer.status)
    expect(uploads()).toEqual([])
  })

  it('that breaks off before it is read ends no process', async () => {
    const head = HEAD(await tokenOf(finance), '; filename="a.csv"')
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(head))
        setImmediate(() => {
          controller.error(new Error('the connection is cut'))
        })
      },
    })
    const { accounts } = opened.production
    const list = accounts.list.bind(accounts)
    accounts.list = async (storeId) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return await list(storeId)
    }
    expect((await post(finance, broken, type)).status).toBeGreaterThanOrEqual(400)
    expect(uploads()).toEqual([])
  })

  it('leaves nothing of its form in the log but what is known', async () => {
    const [csrf] = await fields()
    const parts = [csrf, ['format', '5555555555554444'], ['account', '4111111111111111']] as const
    await post(finance, formOf([...parts, ['file', file('1')]]))
    expect(opened.acts.join()).toContain('format: ?, account: ?')
  })

  it('is one of two of its store at a time', async () => {
    const waiting: (() => void)[] = []
    opened.settlements.upload = () =>
      new Promise((resolve) => {
        waiting.push(() => {
          resolve({ kind: 'taken', id: 1 })
        })
      })
    const form = await fields()
    const send = () => post(finance, formOf([...form, ['file', file('1')]]))
    const first = [send(), send()]
    await vi.waitFor(() => {
      expect(waiting).toHaveLength(2)
    })
    expect((await send()).headers.getSetCookie().join()).toContain('too-many-uploads')
    for (const end of waiting) end()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([303, 303])
    const next = send()
    await vi.waitFor(() => {
      expect(waiting).toHaveLength(3)
    })
    waiting[2]?.()
    expect((await next).headers.get('Connection')).toBe('close')
  })

  it('of parts without end is refused at the first too many, and read no further', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    const piece = new TextEncoder().encode(part.repeat(1000))
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent < 200) controller.enqueue(piece)
        else controller.close()
      },
    })
    const answer = await post(finance, endless, {
      'Content-Type': 'multipart/form-data; boundary=x',
    })
    expect(answer.status).toBe(400)
    expect(sent).toBeLessThan(20)
    expect(uploads()).toEqual([])
  })

  it('that breaks off is an error, and is not taken', async () => {
    const [csrf, format] = await fields()
    const form = new Response(formOf([csrf, format, ['file', file('1\n'.repeat(10_000))]]))
    const type = form.headers.get('Content-Type') ?? ''
    const whole = new Uint8Array(await form.arrayBuffer())
    let isSent = false
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isSent) controller.error(new Error('the connection is cut'))
        else controller.enqueue(whole.subarray(0, 5_000))
        isSent = true
      },
    })
    const answer = await post(finance, broken, { 'Content-Type': type })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(uploads()).toEqual([])
  })

  it.each(['support', 'developer'] as const)('is no work for %s', async (role) => {
    const person = opened.newPerson(role)
    const form = formOf([...(await fields(person)), ['file', file('1')]])
    expect((await post(person, form)).status).toBe(403)
    for (const path of ['', '/lines', '/missing', '/files/1', '.csv', '/lines.csv', '/missing.csv'])
      expect((await person.get(`${PLACE}/settlements${path}`)).status).toBe(403)
    expect(opened.acts.filter((act) => act.includes('settlements:upload'))).toHaveLength(1)
    expect(uploads()).toEqual([])
  })

  it('is hidden from people of another store', async () => {
    const stranger = opened.newPerson('owner', ['store-2'])
    const form = formOf([
      ['csrf', hiddenValue((await stranger.get('/')).html, 'csrf')],
      ['file', file('1')],
    ])
    expect((await post(stranger, form)).status).toBe(404)
    expect((await stranger.get(`${PLACE}/settlements`)).status).toBe(404)
  })
})

describe('the money received', () => {
  it('is shown by day, with the lines that need a person', async () => {
    const money = { grossMinor: 10_000, feeMinor: 300, netMinor: -9_700 }
    opened.held.settlements.days.push({ day: TODAY, lines: 3, unsettled: 2, ...money })
    opened.held.settlements.files.push(FILE)
    opened.production.held.accounts.push(shownAccount('adyen-1', 'Adyen, site'))
    const page = await textAt('/settlements')
    expect(page).toContain('Nov 21, 2026 3 BRL 100.00 BRL 3.00 −BRL 97.00 2 Total')
    expect(page).toContain('report.csv Adyen: settlement details Adyen, site')
    expect(page).toContain('compared 1 to review')
    const { html } = await finance.get(`${PLACE}/settlements.csv?separator=comma`)
    expect(html).toContain('2026-11-21,3,100.00,3.00,-97.00,2')
  })

  it('is shown line by line, as pages and as a file', async () => {
    opened.held.settlements.lines.push(LINE, { ...LINE, result: 'matched', line: 4 })
    const page = await textAt('/settlements/lines')
    expect(page).toContain('PSP1 1001 different different amount expected BRL 100.00 Resolve')
    expect(page).toContain('−BRL 90.00')
    expect(page).not.toContain('line 4')
    expect(await textAt('/settlements/lines?result=all')).toContain('line 4')
    const { html } = await finance.get(`${PLACE}/settlements/lines.csv?result=all`)
    expect(html).toContain(
      '1001;PSP1;different;different amount;100,00;sale;1/3;visa;2026-11-21;-90,00;3,00;-93,00;Adyen: settlement details;1;3',
    )
  })

  it.each([
    ['result=nonsense&file=x&from=2026-02-30', 'Nothing to review'],
    ['result=repeated', 'No lines found'],
  ])('finds nothing by %s, and says so', async (query, text) => {
    expect(await textAt(`/settlements/lines?${query}`)).toContain(text)
  })

  it('lists missing payments, and the days that are covered', async () => {
    const { accounts } = opened.production.held
    const { covered, missing } = opened.held.settlements
    accounts.push(shownAccount('adyen-1', 'Adyen, site'))
    covered.push({ accountId: 'adyen-1', fromDay: TODAY - 9, untilDay: TODAY })
    expect(await textAt('/settlements/missing')).toContain('No missing payments')
    const paid = { paidAtMs: NOW_MS, chargedMinor: 10_000, installments: 1 }
    missing.push({ code: 1001, reference: 'order-1', accountId: 'adyen-1', ...paid })
    const page = await textAt('/settlements/missing')
    expect(page).toContain('Adyen, site: payments from Nov 12, 2026 to Nov 20, 2026')
    expect(page).toContain('order-1 1001')
    const { html } = await finance.get(`${PLACE}/settlements/missing.csv`)
    expect(html).toContain('1001;order-1;2026-11-21 09:00:00;adyen-1;100,00;Adyen, site')
  })
})

describe('a file', () => {
  it('shows the results of its lines, and its uploader', async () => {
    opened.held.settlements.files.push(FILE)
    const page = await textAt('/settlements/files/1')
    expect(page).toContain('By The finance')
    expect(page).toContain('different 1 The payment is here, but something doesn’t match.')
    expect(page).toContain('Compare again')
    expect((await finance.get(`${PLACE}/settlements/files/2`)).status).toBe(404)
    expect((await finance.get(`${PLACE}/settlements/files/x`)).status).toBe(404)
  })

  it.each([
    [
      { problem: 'wrong-report', line: 1, expected: 'date, kind' },
      'Missing columns: date, kind. Add them to the first line. (line 1)',
    ],
    [
      { problem: 'missing-column', line: 1, field: 'gross, fee|net' },
      'Missing columns: gross, fee or net. Add them',
    ],
    [
      { problem: 'bad-value', line: 3, field: 'gross', expected: '≥ 0' },
      'Correct it and upload the file again. (line 3, field gross, expected ≥ 0)',
    ],
  ] as const)(
    'says of a refusal with %j what is missing or wrong, and where',
    async (refusal, said) => {
      const refused = { ...FILE, format: 'cofre', state: 'refused', refusal, results: {} } as const
      opened.held.settlements.files.push(refused)
      expect(await textAt('/settlements/files/1')).toContain(said)
    },
  )

  it('shows why and where it was refused', async () => {
    const refusal = { problem: 'card-number', line: 1234, field: 'merchant reference' } as const
    const refused = { ...FILE, state: 'refused', refusal, results: {} } as const
    opened.held.settlements.files.push(refused)
    expect(await textAt('/settlements/files/1')).toContain(
      'The file may contain a card number, which Cofre doesn’t accept here. Remove it from the file. (line 1,234, field merchant reference)',
    )
  })

  it('is compared again, and removed after a confirmation', async () => {
    opened.held.settlements.files.push(FILE)
    const on = `${PLACE}/settlements/files/1`
    await finance.submit(on, `${on}/compare`)
    await finance.submit(on, `${on}/remove`)
    expect(opened.held.writes).toEqual(['compare store-1 1'])
    await finance.submit(on, `${on}/remove`, { confirm: 'yes' })
    expect(opened.held.writes).toEqual(['compare store-1 1', 'remove store-1 1'])
    expect(opened.acts.filter((act) => act.includes('settlements:'))).toEqual([
      'production store-1 person:per_finance settlements:compare 1 asked from 192.0.2.1',
      'production store-1 person:per_finance settlements:remove 1 asked from 192.0.2.1',
      'production store-1 person:per_finance settlements:remove 1 asked from 192.0.2.1',
    ])
  })

  it('has differences that a person resolves with a note', async () => {
    const { held } = opened
    held.settlements.files.push(FILE)
    held.settlements.lines.push(LINE)
    const on = `${PLACE}/settlements/lines`
    const to = `${PLACE}/settlements/files/1/resolve`
    const note = 'lost 4111 1111 1111 1111; the acquirer keeps it'
    await finance.submit(on, to, { line: '3', note: ' ' })
    await finance.submit(on, to, { line: '3', note })
    expect(held.writes).toEqual([
      'resolve store-1 1:3 person:per_finance lost ************; the acquirer keeps it',
    ])
    expect(opened.acts.filter((act) => act.includes('settlements:'))[1]).toBe(
      'production store-1 person:per_finance settlements:resolve 1 asked from 192.0.2.1 line: 3',
    )
    held.settlements.lines[0] = {
      ...LINE,
      result: 'resolved',
      resolution: { actor: 'person:gone', note: 'lost', atMs: NOW_MS },
    }
    const page = await textAt('/settlements/lines?result=resolved')
    expect(page).toContain('person:gone')
    expect(page).not.toContain('What did you find?')
  })

  it('of a bank cannot be removed', async () => {
    opened.held.settlements.files.push({ ...FILE, format: 'pix', actor: 'worker' })
    const page = await textAt('/settlements/files/1')
    expect(page).toContain('daily list')
    expect(page).not.toContain('Remove the file')
  })
})

describe('a format that only its reader’s package knows', () => {
  it('is chosen and shown by its title, and read by its reader', async () => {
    const titles = { en: 'Made up', 'pt-BR': 'Inventado' }
    const loadReader = () =>
      Promise.resolve(async function* () {
        const money = { grossMinor: 7, feeMinor: 0, netMinor: 7 }
        yield await Promise.resolve({
          line: 1,
          kind: 'sale',
          paidOn: '2026-11-20',
          ...money,
        } as const)
      })
    const format = { name: 'made-up', titles, daysAhead: 2, loadReader }
    opened = openSettlements(createSettlementFormats([format]))
    finance = opened.newPerson('finance')
    const { settlements } = opened.held
    settlements.files.push({ ...FILE, format: 'made-up' })
    settlements.lines.push({ ...LINE, source: 'made-up' })
    const csrf = await tokenOf(finance)
    const form = (name: string) =>
      formOf([
        ['csrf', csrf],
        ['format', name],
        ['account', ''],
        ['file', file('anything')],
      ])
    await post(finance, form('adyen'))
    expect(uploads()).toEqual([])
    await post(finance, form('made-up'))
    expect(uploads().join()).toContain('"format":"made-up"')
    expect((await finance.get(`${PLACE}/settlements`)).html).toContain(
      '<option value="made-up">Made up</option>',
    )
    for (const path of ['', '/files/1', '/lines'])
      expect(await textAt(`/settlements${path}`)).toContain('Made up')
  })

  it('is shown by its name where its reader is gone', async () => {
    opened.held.settlements.files.push({ ...FILE, format: 'retired' })
    opened.held.settlements.lines.push({ ...LINE, source: 'retired' })
    for (const path of ['', '/files/1', '/lines'])
      expect(await textAt(`/settlements${path}`)).toContain('retired')
  })
})
