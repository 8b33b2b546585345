import { z } from 'zod'

/** One element of an error answer (specification, section 7). */
const wireErrorSchema = z.strictObject({
  code: z.int().describe('A code of the catalogue; never renamed, never reused'),
  description: z.string().describe('The key text of the code'),
  property: z.string().optional().describe('Path of the wrong field: payer.document.number'),
  constraint: z.string().optional().describe('The broken rule: required, type, minimum, …'),
  minimum: z.number().optional(),
})
export type WireError = Readonly<z.output<typeof wireErrorSchema>>

/** Body of every failure of every layer. */
export const errorBodySchema = z.strictObject({ errors: z.array(wireErrorSchema).min(1) })
export interface ErrorBody {
  readonly errors: readonly WireError[]
}
