export { createSandboxAcquirer } from './card/sandbox-acquirer.js'
export { createSandboxCardPayments } from './card/sandbox-card-payments.js'
export { type TestCard, TEST_CARDS } from './card/test-cards.js'
