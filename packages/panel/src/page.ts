// Parts for the pages of rooms.
export type { Act, ActDetail, NamedActor } from '@cofre/people'
export { csvAmount, csvTime, readSeparator, type Separator } from './export/csv-format.js'
export { CsvLinks } from './export/csv-links.js'
export { csvResponse } from './export/csv-response.js'
export { type AccountNames, accountNames, namesOf } from './part/account-names.js'
export { actNameOf, actorOf, actorText, changeDetail, outcomeOf } from './part/act-text.js'
export { editableAmount, readAmount } from './part/amount-field.js'
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
export { startOfDay } from './part/day-field.js'
export { type Flash, setFlash } from './frame/flash.js'
export * from './visit/format.js'
export { Pagination, addressWith } from './part/pagination.js'
export { qrPicture } from './part/qr-picture.js'
export type { PanelParts } from './visit/panel-parts.js'
export { partlyCaptured, partlyRefunded } from './part/partly-refunded.js'
export * from './part/parts.js'
export * from './part/period.js'
export { staffNames } from './part/staff-names.js'
export { PeriodForm } from './part/period-form.js'
export type { SimulatedPayment, SimulatedRefunds } from './visit/simulated-parts.js'
export { shownDocument, shownEmail, shownName, shownText } from './part/shown-payer.js'
export { StatusBadge } from './part/status-badge.js'
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
} from './visit/visit.js'
export { wayText } from './part/way-text.js'
