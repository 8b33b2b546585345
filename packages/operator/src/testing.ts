// The desk of a store in memory, for tests of pages.
export {
  type FakeDeskData,
  fakeActs,
  fakeBackOffice,
  fakeWaiting,
  noPayments,
} from './testing/fake-desk.js'
export {
  AUTHORIZED_CARD,
  PIX_PAID_TWICE,
  WAITING_REFUND,
  pixTransaction,
} from './testing/shown-records.js'
