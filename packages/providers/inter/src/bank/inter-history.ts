import type { Clock, Log } from '@cofre/contracts'
import type { BoletoBank } from '@cofre/provider-kit/bank'
import { createCallBudget } from '@cofre/provider-kit/outbound'
import { z } from 'zod'
import { maybe } from '@cofre/pix-api/bank'
import type { InterCallers } from './inter-calls.js'
import { namesInNotice } from './inter-notice.js'

/** The bank allows ten a minute, separate from all other calls. */
const CALLS_PER_MINUTE = 10
/** The latest first: scheduled look-ups find older ones. */
const PAGES_MAX = 6
const PAGE_SIZE = 50

const historySchema = (page: number) =>
  z
    .looseObject({
      totalPaginas: maybe(z.int()),
      ultimaPagina: maybe(z.boolean()),
      data: z.array(z.looseObject({ payload: z.unknown() })),
    })
    .transform(({ data, totalPaginas, ultimaPagina }) => {
      const isNamed =
        totalPaginas === undefined ? data.length >= PAGE_SIZE : page + 1 < totalPaginas
      const hasNext = ultimaPagina === undefined ? isNamed : !ultimaPagina
      return {
        names: data.flatMap(({ payload }) => namesInNotice(payload) ?? []),
        hasNext: hasNext && data.length > 0,
      }
    })

/** Boletos about which the bank sent, or tried to send, notices. They need not be sent again. */
export function createInterHistory(
  { boletos: call }: InterCallers,
  { clock, log, account }: { readonly clock: Clock; readonly log: Log; readonly account: string },
): NonNullable<BoletoBank['listNotices']> {
  const budget = createCallBudget({ clock, callsPerMinute: CALLS_PER_MINUTE })
  return async (fromMs, toMs) => {
    const names = new Set<string>()
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const permission = budget.take('waited_for')
      if (permission.kind === 'denied') {
        const { retryAfterMs } = permission
        const detail = 'the history is read too often'
        return { kind: 'not-sent', cause: 'limited', detail, retryAfterMs }
      }
      const read = await call({
        operation: 'notice.history',
        method: 'GET',
        path: `/webhook/callbacks?${historyQuery(fromMs, toMs, page)}`,
        answer: historySchema(page),
        priority: 'background',
      })
      if (read.kind !== 'done') return read
      for (const name of read.value.names) names.add(name)
      if (!read.value.hasNext) return { kind: 'done', value: [...names] }
    }
    log.warn({ account, pages: PAGES_MAX }, 'a bank has more notices than are read')
    return { kind: 'done', value: [...names] }
  }
}

function historyQuery(fromMs: number, toMs: number, page: number): string {
  return new URLSearchParams({
    dataHoraInicio: new Date(fromMs).toISOString(),
    dataHoraFim: new Date(toMs).toISOString(),
    pagina: String(page),
    tamanhoPagina: String(PAGE_SIZE),
  }).toString()
}
