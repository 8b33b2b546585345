import { z } from 'zod'
import type { AcquirerNotices, NoticeReading } from '@cofre/provider-kit/card'
import { inLowerCase } from './cielo-wire.js'

const noticeSchema = z.looseObject({
  paymentid: z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  changetype: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ]),
})

/** Recurrences run by Cielo, which Cofre does not use. */
const IGNORED_TYPES: readonly number[] = [2, 4]

/** Unsigned: a notice only names the payment to look up. */
export const cieloNotices: AcquirerNotices = {
  read: readCieloNotice,
  fit: () => ({ kind: 'contradiction' }),
}

function readCieloNotice(body: unknown): NoticeReading {
  const notice = noticeSchema.safeParse(inLowerCase(body)).data
  if (notice === undefined) return { kind: 'none' }
  const isIgnored = IGNORED_TYPES.includes(notice.changetype)
  return { kind: 'hints', paymentIds: isIgnored ? [] : [notice.paymentid.toLowerCase()] }
}
