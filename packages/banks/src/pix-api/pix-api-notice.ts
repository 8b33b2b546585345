import { z } from 'zod'

const TXIDS_MAX = 1000
const noticeSchema = z.looseObject({ pix: z.array(z.unknown()) })
const itemSchema = z.looseObject({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })

/**
 * Which charges the body of a webhook's call is about: each is to be read at the bank, since
 * anybody may have sent it. Items of other shapes are left out; undefined when it is no notice.
 */
export function txidsInNotice(body: unknown): readonly string[] | undefined {
  const notice = noticeSchema.safeParse(body).data
  if (notice === undefined) return undefined
  const txids = notice.pix
    .slice(0, TXIDS_MAX)
    .flatMap((item) => itemSchema.safeParse(item).data?.txid ?? [])
  return [...new Set(txids)]
}
