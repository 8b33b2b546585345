import { z } from 'zod'

/** Languages for shoppers. */
export const transactionLanguageSchema = z.enum(['pt-BR', 'en-US', 'es-ES', 'pt-PT', 'tr-TR'])
export type TransactionLanguage = z.output<typeof transactionLanguageSchema>

/** Language of a store that has set none. */
export const USUAL_LANGUAGE = 'pt-BR' satisfies TransactionLanguage
