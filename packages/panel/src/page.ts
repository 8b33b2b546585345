// Parts for the pages of rooms.
export type { Act, ActDetail, Who } from '@cofre/people'
export { csvAmount, csvTime, readSeparator, type Separator } from './export/csv-format.js'
export { CsvLinks } from './export/csv-links.js'
export { csvResponse } from './export/csv-response.js'
export { type AccountNames, accountNames, namesOf } from './frame/account-names.js'
export { actNameOf, actorOf, actorText, changeDetail, outcomeOf } from './frame/act-text.js'
export { editableAmount, readAmount } from './frame/amount-field.js'
export {
  type ConsolePage,
  type PagesBelow,
  type RoomPages,
  textsOfPage,
} from './frame/console-page.js'
export {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  type Shown,
  done,
  refused,
} from './frame/console-pages.js'
export { startOfDay } from './frame/day-field.js'
export { type Flash, setFlash } from './frame/flash.js'
export * from './frame/format.js'
export { Pagination, addressWith } from './frame/pagination.js'
export { qrPicture } from './frame/qr-picture.js'
export type { PanelParts } from './frame/panel-parts.js'
export { partlyRefunded } from './frame/partly-refunded.js'
export * from './frame/parts.js'
export * from './frame/period.js'
export { staffNames } from './frame/staff-names.js'
export { PeriodForm } from './frame/period-form.js'
export type { SimulatedPayment, SimulatedRefunds } from './frame/simulated-parts.js'
export { shownDocument, shownEmail, shownName, shownText } from './frame/shown-payer.js'
export { StatusBadge } from './frame/status-badge.js'
export { type PerEnvironment, type ShownAccount, portAt } from './model/console-gateway.js'
// Notifications, which a payment's page shows too.
export { NotificationCard } from './notification/notification-card.js'
export { NOTIFICATION_TEXTS } from './notification/texts.js'
export { SECRET_BYTES, isMarkOf, secretMark } from './session/store-secret.js'
export type { UploadForm } from './frame/upload.js'
export {
  type Form,
  type View,
  type Visit,
  isStillSignedIn,
  useTexts,
  useView,
} from './frame/visit.js'
export { wayText } from './frame/way-text.js'
