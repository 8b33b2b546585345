import type { BankNotices } from '@cofre/provider-kit/bank'
import {
  createWebhookRegistration,
  anyAnswerSchema,
  webhookAnswerSchema,
} from '@cofre/pix-api/bank'
import type { InterCallers } from './inter-calls.js'
import { namesInNotice } from './inter-notice.js'

/** The bank's calls about changes of boletos. An account has one address. */
export function createInterWebhook({ boletos: call }: InterCallers): BankNotices {
  const path = '/webhook'
  const answer = anyAnswerSchema
  return {
    namesIn: namesInNotice,
    ...createWebhookRegistration({
      read: () =>
        call({
          operation: 'webhook.read',
          method: 'GET',
          path,
          answer: webhookAnswerSchema.transform(({ webhookUrl }) => webhookUrl),
        }),
      put: ({ url }) =>
        call({
          operation: 'webhook.register',
          method: 'PUT',
          path,
          body: { webhookUrl: url },
          answer,
        }),
      remove: () => call({ operation: 'webhook.remove', method: 'DELETE', path, answer }),
    }),
  }
}
