import type { AcquirerNotices } from '@cofre/provider-kit/card'
import { z } from 'zod'

const noticeSchema = z.looseObject({ chargeId: z.string().min(1).max(80) })

/** Unsigned: a notice only names the payment to look up. */
export const templateNotices: AcquirerNotices = {
  read(body) {
    const { data } = noticeSchema.safeParse(body)
    return data === undefined ? { kind: 'none' } : { kind: 'hints', paymentIds: [data.chargeId] }
  },
  fit: () => ({ kind: 'contradiction' }),
}
