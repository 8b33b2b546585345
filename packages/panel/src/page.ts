// What a page of a room is made with.
export { csvAmount, csvTime, readSeparator, type Separator } from './export/csv-format.js'
export { CsvLinks } from './export/csv-links.js'
export { csvResponse } from './export/csv-response.js'
export { type AccountNames, accountNames } from './frame/account-names.js'
export { actorOf, actorText } from './frame/act-text.js'
export { editableAmount, readAmount } from './frame/amount-field.js'
export { type ConsolePage, textsOfPage } from './frame/console-page.js'
export {
  type ActionRule,
  type ConsolePages,
  type Outcome,
  done,
  refused,
} from './frame/console-pages.js'
export * from './frame/format.js'
export { Pagination } from './frame/pagination.js'
export { qrPicture } from './frame/qr-picture.js'
export type { PanelParts } from './frame/panel-parts.js'
export * from './frame/parts.js'
export * from './frame/period.js'
export { staffNames } from './frame/staff-names.js'
export { PeriodForm } from './frame/period-form.js'
export { type PerEnvironment, portAt } from './model/console-gateway.js'
export { NotificationCard } from './notification/notification-card.js'
export { NOTIFICATION_TEXTS } from './notification/texts.js'
export type { UploadForm } from './frame/upload.js'
export { type Form, type View, type Visit, useTexts, useView } from './frame/visit.js'
