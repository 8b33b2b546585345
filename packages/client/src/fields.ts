export type {
  CardFieldName,
  CardFieldState,
  CardFieldsChange,
  CardFieldsError,
  CardFieldsEvents,
  CardFieldsListener,
  TokenizedCard,
} from './card-fields-events.js'
export type { CardFieldsLanguage, CardFieldsOptions } from './card-fields-options.js'
export { CardFields } from './card-fields.js'
export { type CardField, DirectTokenError, type DirectTokenErrorCode } from './errors.js'
