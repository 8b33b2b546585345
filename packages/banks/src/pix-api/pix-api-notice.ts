import { z } from 'zod'

/** Which charges a notice is about: each is to be read at the bank. */
export interface PixNotice {
  readonly txids: readonly string[]
}

const TXIDS_MAX = 1000
const noticeSchema = z.looseObject({ pix: z.array(z.unknown()) })
const itemSchema = z.looseObject({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })

/**
 * Reads the body of a webhook's call, which is a hint and nothing more: anybody may have sent it.
 * Items of other shapes are left out; undefined when it is no notice of PIX at all.
 */
export function readPixNotice(body: unknown): PixNotice | undefined {
  const notice = noticeSchema.safeParse(body).data
  if (notice === undefined) return undefined
  const txids = notice.pix
    .slice(0, TXIDS_MAX)
    .flatMap((item) => itemSchema.safeParse(item).data?.txid ?? [])
  return { txids: [...new Set(txids)] }
}
