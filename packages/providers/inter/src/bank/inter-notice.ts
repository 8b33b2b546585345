import { z } from 'zod'

const NAMES_MAX = 1000
const itemSchema = z.looseObject({
  // Boletos of other systems have other names.
  seuNumero: z.string().regex(/^[A-Z2-7]{15}$/),
})
const listSchema = z.array(z.unknown())
const singleSchema = z.looseObject({ codigoSolicitacao: z.string(), situacao: z.string() })

/**
 * Which boletos the body of a webhook's call is about: each is to be read at the bank, since
 * anybody may have sent it. One item or many; items of other shapes are left out. Undefined when
 * it is no notice.
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
