export { type Assets, openAssets } from './assets.js'
export { Document, LanguageLink, Notice, sendDocument } from './document.js'
export { formatDay, formatMoney, formatTime } from './format.js'
export { Choice, CopyField, FormField } from './form-field.js'
export { formTokenOf, isCookieId, isFormToken, isFromOwnPage, newCookieId } from './form-token.js'
export { MalformedFormError, limitForms, readForm } from './forms.js'
export {
  type Language,
  languageAddress,
  languageOf,
  languageRoutes,
  ownPath,
  preferredLanguage,
} from './language.js'
export { countText, fill, messages } from './messages.js'
export { properName } from './proper-name.js'
export { securityHeaders } from './security-headers.js'
export { type Site, readCookie, removeCookie, writeCookie } from './site.js'
