import { SECOND_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type OpenConsole,
  openConsole,
  type Developer,
  PANEL_URL,
  cookieHeader,
  hiddenValue,
  NOW_MS,
  STORE_ID,
  pixTransaction,
} from '../testing/whole-console.fixture.js'
import type { ConsolePage } from '../frame/console-page.js'
import { done } from '../frame/console-pages.js'
import { PEOPLE_PAGE } from '../staff/pages.js'

const PLACE = `/production/${STORE_ID}`

let opened: OpenConsole
let nowMs = NOW_MS
let taken: number
beforeEach(() => {
  taken = 0
  opened = openConsole({ clock: { now: () => nowMs } }, [filesPage])
})

/** Receives files. */
const filesPage: ConsolePage = {
  ...PEOPLE_PAGE,
  permission: 'payments:read',
  path: '/files',
  load: () =>
    Promise.resolve(({ upload }) => {
      const rule = { needs: 'settlements:upload', act: 'settlements:upload' } as const
      upload('/files', rule, async (_visit, { file }) => {
        for await (const bytes of file?.content ?? []) expect(bytes.length).toBeGreaterThan(0)
        taken += 1
        return done('file-taken')
      })
    }),
}

/** Ends every person's access to the store. */
function removeEveryone(): void {
  opened.people.find = () => Promise.resolve(undefined)
  opened.people.accessOf = () => Promise.resolve(undefined)
}

interface Init extends RequestInit {
  readonly headers?: Record<string, string>
}

function send(person: Developer, path: string, init: Init = {}): Promise<Response> {
  const headers = {
    Cookie: cookieHeader(person),
    Host: new URL(PANEL_URL).host,
    'Sec-Fetch-Site': 'same-origin',
    ...init.headers,
  }
  return Promise.resolve(opened.app.request(`${PANEL_URL}${path}`, { ...init, headers }))
}

/** A body that is detached from its sender before it is sent. */
function bodyOf(bytes: Uint8Array<ArrayBuffer>): RequestInit {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        removeEveryone()
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { method: 'POST', body, ...{ duplex: 'half' } }
}

describe('authority is judged when it is used', () => {
  it('by a form that is sent slowly: once it has arrived', async () => {
    const owner = opened.newPerson('owner')
    const csrf = hiddenValue((await owner.get('/me')).html, 'csrf')
    const fields = new URLSearchParams({ csrf, name: 'Other' }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const setName = vi.spyOn(opened.people.own, 'setName')
    const init = { ...bodyOf(new TextEncoder().encode(fields)), headers }
    const answer = await send(owner, '/me/name', init)

    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?/),
    ])
    expect(setName).not.toHaveBeenCalled()
  })

  it('by a file that is sent: before it counts', async () => {
    const finance = opened.newPerson('finance')
    const csrf = hiddenValue((await finance.get(`${PLACE}/payments`)).html, 'csrf')
    const form = new FormData()
    for (const [name, value] of Object.entries({ csrf, format: 'adyen', account: '' }))
      form.append(name, value)
    form.append('file', new File(['100\n'.repeat(50_000)], 'report.csv'))
    const whole = new Response(form)
    const headers = { 'Content-Type': whole.headers.get('Content-Type') ?? '' }
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const parts = [bytes.slice(0, 1000), bytes.slice(1000)]
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = parts.shift()
          if (next === undefined) controller.close()
          else controller.enqueue(next)
          if (parts.length === 0) removeEveryone()
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', body, headers, ...{ duplex: 'half' } }
    const answer = await send(finance, `${PLACE}/files`, init)

    expect(answer.status).toBe(303)
    expect(taken).toBe(0)
    expect(opened.acts.at(-1)).toBe('1 refused why: role')
  })

  it('by a short list that is read slowly, during the transfer', async () => {
    for (let code = 1; code <= 3000; code += 1)
      opened.production.held.transactions.push(pixTransaction({ code }))
    const finance = opened.newPerson('finance')
    const answer = await send(finance, `${PLACE}/payments.csv`)
    removeEveryone()
    nowMs += 2 * SECOND_MS

    await expect(answer.text().then(() => 'whole')).rejects.toThrow()
    await vi.waitFor(() => {
      expect(opened.acts.at(-1)).toMatch(/^1 refused rows: \d+$/)
    })
  })
})
