import { z } from 'zod'

/** The bounds that a field's schema holds: of its length or number, or the values it allows. */
export function boundsOf(
  schema: z.core.$ZodType | undefined,
): Readonly<Record<string, string[] | number>> {
  if (schema instanceof z.ZodOptional) return boundsOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return boundsOf(schema.out)
  if (schema instanceof z.ZodEnum) return { values: schema.options.map(code) }
  if (schema instanceof z.ZodLiteral) return { values: [...schema.values].map(code) }
  if (schema instanceof z.ZodString)
    return { min: schema.minLength ?? 0, max: schema.maxLength ?? Infinity }
  if (schema instanceof z.ZodNumber)
    return { min: schema.minValue ?? -Infinity, max: schema.maxValue ?? Infinity }
  return {}
}

const code = (value: unknown): string => `\`${String(value)}\``
