export { type Credential, type RandomBytes, createAuthority } from './authority/authority.js'
export { type CredentialFolder, openCredentialFolder } from './authority/credential-folder.js'
export { thumbprintOf } from './authority/thumbprint.js'
export { bankAnswers, taxIdOf } from './bank-entry.js'
export { openBooksFile, unreadableBooks } from './books/books-file.js'
export {
  type Acquirer,
  type AcquirerConditions,
  type AcquirerDeps,
  createAcquirer,
} from './card-acquirer/acquirer.js'
export { type LinkRule, isSameCard, linkFault, newLinkId } from './card-acquirer/links.js'
export type { Notice, NoticeLine } from './card-acquirer/notice-line.js'
export { createAcquirerPages } from './card-acquirer/page/acquirer-pages.js'
export { COMMON_CHOICES, COMMON_SHAPE, behaviourOf } from './card-acquirer/page/behaviour.js'
export type { ShownChallenges } from './card-acquirer/page/challenge-page.js'
export type {
  EntryAction,
  PaymentAction,
  ShownAcquirer,
  ShownEntry,
  ShownPayment,
} from './card-acquirer/page/shown-payment.js'
export {
  type ShownCard,
  maskedNumber,
  showCard,
  shownCardSchema,
} from './card-acquirer/shown-card.js'
export { type Tally, sumOf } from './card-acquirer/tally.js'
export { disturb, pause } from './disturb.js'
export {
  type Call,
  type CallConditions,
  type Disturbance,
  type Disturbances,
  createDisturbances,
} from './disturbances.js'
export { type Listening, listenSecurely } from './listeners.js'
export { type NoticePost, type PostResult, createNoticePost } from './notice-post.js'
export { AmountError, AmountField, amountIn } from './page/amount.js'
export { Choice } from './page/choice.js'
export { ConditionsForm } from './page/conditions-form.js'
export { Fact } from './page/fact.js'
export { FindableList } from './page/findable-list.js'
export { NoticeTable } from './page/notice-table.js'
export { type PageEnv, createPages } from './page/pages.js'
export {
  BackLink,
  Flash,
  Layout,
  type PageView,
  PostForm,
  type Reader,
  Time,
  problemPage,
  timeText,
} from './page/view.js'
export type {
  ProviderSimulator,
  RunningSimulator,
  SimulatedAccount,
  SimulatedEntry,
  SimulatorOptions,
  TestAccount,
} from './provider-simulator.js'
export {
  type ClientCredentials,
  type MutualBankOptions,
  type RunningMutualBank,
  listenForPage,
  startMutualBank,
} from './start-mutual-bank.js'
