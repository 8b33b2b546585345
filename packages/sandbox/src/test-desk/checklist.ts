import type { Milestones } from '@cofre/gateway'
import type { RequestMilestone } from '../request-log/request-log-sql.js'
import { CHECKLIST_STEPS, type Checklist, type ChecklistStep } from './test-desk.js'

/** The steps as transactions and requests show them. */
export function checklistOf(
  reached: Milestones,
  requested: ReadonlyMap<RequestMilestone, number>,
): Checklist {
  const doneAtMs: Readonly<Record<ChecklistStep, number | undefined>> = {
    'card-paid': reached.cardPaid,
    'card-declined': reached.cardDeclined,
    'card-saved-used': requested.get('card-saved-used'),
    'boleto-created': reached.boletoCreated,
    'boleto-paid': reached.boletoPaid,
    'pix-created': reached.pixCreated,
    'pix-paid': reached.pixPaid,
    'wallet-paid': reached.walletPaid,
    'installments-looked-up': requested.get('installments-looked-up'),
    'refund-processed': reached.refundProcessed,
    'refund-rejected': reached.refundRejected,
    'notification-acknowledged': reached.notificationAcknowledged,
    'search-after-notification': reached.searchedAfterNotification,
    'error-handled': requested.get('error-handled'),
  }
  return { steps: CHECKLIST_STEPS.map((step) => ({ step, doneAtMs: doneAtMs[step] })) }
}
