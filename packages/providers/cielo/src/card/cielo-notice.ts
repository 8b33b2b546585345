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

/** Recurrences that Cielo runs itself: Cofre has none. */
const IGNORED_TYPES: readonly number[] = [2, 4]

/** Unsigned: which payment to look at, and nothing more. */
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
