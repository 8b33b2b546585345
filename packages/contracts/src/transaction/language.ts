import { z } from 'zod'

/** The languages that shoppers read. */
export const transactionLanguageSchema = z.enum(['pt-BR', 'en-US', 'es-ES', 'pt-PT', 'tr-TR'])
export type TransactionLanguage = z.output<typeof transactionLanguageSchema>

/** Of a store that has set none. */
export const USUAL_LANGUAGE = 'pt-BR' satisfies TransactionLanguage
