// Pages that may show a store's card fields, and the card data that these pages may see.
import { z } from 'zod'
import { ENVIRONMENTS } from '../value/environment.js'

/** Limit for one store in one environment. */
export const FIELD_ORIGINS_MAX = 20
/** Short enough that all origins of a store fit into a header of a few kilobytes. */
const FIELD_ORIGIN_LENGTH_MAX = 200

/**
 * An origin in the browsers' form: https, or http on the machine itself. It has only characters
 * that a Content-Security-Policy allows in a host, so it can't end a directive.
 */
const FIELD_ORIGIN =
  /^(?:https:\/\/(?:[a-z0-9-]{1,63}\.){0,15}[a-z0-9-]{1,63}|http:\/\/(?:(?:[a-z0-9-]{1,63}\.){0,15}localhost|127(?:\.\d{1,3}){3}))(?::\d{1,5})?$/

export const fieldOriginSchema = z.string().max(FIELD_ORIGIN_LENGTH_MAX).regex(FIELD_ORIGIN)

/** A store's complete settings, as a gateway sends them to the vault. */
export const fieldSettingsSchema = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  storeId: z.string().min(1),
  /** Grows with each change; the highest revision is in force. */
  revision: z.int().positive(),
  /** Pages of these origins may show the store's card fields. */
  origins: z.array(fieldOriginSchema).max(FIELD_ORIGINS_MAX).readonly(),
  /** True if the fields may show the page the first six digits. */
  showsBin: z.boolean(),
})
export type FieldSettings = Readonly<z.output<typeof fieldSettingsSchema>>

/** Receives the settings of stores' card fields. The vault implements it. */
export interface CardFields {
  /**
   * Stores a store's settings, unless newer ones are stored. Returns the stored revision. Harmless
   * when repeated.
   */
  setFieldSettings(settings: FieldSettings): Promise<number>
}
