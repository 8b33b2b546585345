import { z } from 'zod'

const NAMES_MAX = 1000
const itemSchema = z.looseObject({
  // Boletos of other systems have other names.
  seuNumero: z.string().regex(/^[A-Z2-7]{15}$/),
})
const listSchema = z.array(z.unknown())
const singleSchema = z.looseObject({ codigoSolicitacao: z.string(), situacao: z.string() })

/**
 * The boletos named in a webhook's body. Look each one up at the bank, since the body may have any
 * sender. It is one item or a list; items of other shapes are ignored. Undefined if it is no
 * notice.
 */
export function namesInNotice(body: unknown): readonly string[] | undefined {
  const items = listSchema.safeParse(body).data ?? listSchema.parse([body])
  const isNotice = Array.isArray(body) || singleSchema.safeParse(body).success
  if (!isNotice) return undefined
  const names = items
    .slice(0, NAMES_MAX)
    .flatMap((item) => itemSchema.safeParse(item).data?.seuNumero ?? [])
  return [...new Set(names)]
}
