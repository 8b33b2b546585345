import { z } from 'zod'
import { nameOfTxid } from './pix-api-names.js'

const TXIDS_MAX = 1000
const noticeSchema = z.looseObject({ pix: z.array(z.unknown()) })
const itemSchema = z.looseObject({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) })

/**
 * Our names of the charges and boletos in a webhook's body. Look each one up at the bank, since the
 * body may have any sender. Items of other shapes are ignored; undefined if it is no notice.
 */
export function namesInNotice(body: unknown): readonly string[] | undefined {
  const notice = noticeSchema.safeParse(body).data
  if (notice === undefined) return undefined
  const names = notice.pix
    .slice(0, TXIDS_MAX)
    .flatMap((item) => itemSchema.safeParse(item).data?.txid ?? [])
    .map(nameOfTxid)
  return [...new Set(names)]
}
