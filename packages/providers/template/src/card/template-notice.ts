import type { AcquirerNotices } from '@cofre/provider-kit/card'
import { z } from 'zod'

const noticeSchema = z.looseObject({ chargeId: z.string().min(1).max(80) })

/** Unsigned: which payment to look at, and nothing more. */
export const templateNotices: AcquirerNotices = {
  read(body) {
    const { data } = noticeSchema.safeParse(body)
    return data === undefined ? { kind: 'none' } : { kind: 'hints', paymentIds: [data.chargeId] }
  },
  fit: () => ({ kind: 'contradiction' }),
}
