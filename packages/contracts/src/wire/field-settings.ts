// Which pages may show a store's card fields, and what those may tell them.
import { z } from 'zod'
import { ENVIRONMENTS } from '../value/environment.js'

/** Of one store in one environment. */
export const FIELD_ORIGINS_MAX = 20
/** All of a store fit into a header of a few kilobytes. */
const FIELD_ORIGIN_LENGTH_MAX = 200

/**
 * An origin as browsers write it: https, or http on the machine itself. Only characters that a
 * Content-Security-Policy takes for a host stand in it, so none of them ends a directive.
 */
const FIELD_ORIGIN =
  /^(?:https:\/\/(?:[a-z0-9-]{1,63}\.){0,15}[a-z0-9-]{1,63}|http:\/\/(?:(?:[a-z0-9-]{1,63}\.){0,15}localhost|127(?:\.\d{1,3}){3}))(?::\d{1,5})?$/

export const fieldOriginSchema = z.string().max(FIELD_ORIGIN_LENGTH_MAX).regex(FIELD_ORIGIN)

/** What a gateway tells the vault of a store, each time as a whole. */
export const fieldSettingsSchema = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  storeId: z.string().min(1),
  /** Grows with each change: the settings with the greatest count. */
  revision: z.int().positive(),
  /** Pages of these may show the store's card fields. */
  origins: z.array(fieldOriginSchema).max(FIELD_ORIGINS_MAX).readonly(),
  /** Whether the fields may tell the page the first six digits. */
  showsBin: z.boolean(),
})
export type FieldSettings = Readonly<z.output<typeof fieldSettingsSchema>>

/** What the gateway tells of the card fields of stores. Filled by the vault. */
export interface CardFields {
  /**
   * Keeps the settings of a store, unless newer ones are kept already. Answers the revision of
   * those that are kept then. Harmless when repeated.
   */
  setFieldSettings(settings: FieldSettings): Promise<number>
}
