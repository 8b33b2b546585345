import { decided } from '@cofre/contracts'
import {
  type AcquirerAnswer,
  type CheckDecision,
  type CheckRequest,
  secretsOf,
  unknown,
} from '@cofre/provider-kit/card'
import type { CieloCaller } from './cielo-calls.js'
import { answerOfError, cieloDecline, declineOfError } from './cielo-refusal.js'
import { checkBody, checkErrorsSchema, checkSchema } from './cielo-wire.js'

/** Zero Auth: Cielo gives a check no name, so a lost answer can never be looked up. */
export async function checkCard(
  call: CieloCaller,
  request: CheckRequest,
): Promise<AcquirerAnswer<CheckDecision>> {
  const body = checkBody(request)
  if (body === undefined)
    return { kind: 'refused', detail: `Zero Auth has no cards of ${request.brand}` }
  const sent = await call({
    operation: 'card.check',
    method: 'POST',
    path: '/1/zeroauth',
    body,
    answer: checkSchema,
    errors: checkErrorsSchema,
    secrets: secretsOf(request),
  })
  switch (sent.kind) {
    case 'done': {
      const { valid: isValid, issuertransactionid, transactionlinkid } = sent.value
      const ids = {
        networkTransactionId: issuertransactionid,
        transactionLinkId: transactionlinkid,
      }
      return isValid
        ? decided({ outcome: 'approved', ids })
        : decided({ outcome: 'declined', decline: cieloDecline(sent.value, request.brand) })
    }
    case 'absent':
      return unknown('the address of Zero Auth is unknown there')
    case 'refused': {
      const decline = declineOfError(sent)
      return decline === undefined ? answerOfError(sent) : decided({ outcome: 'declined', decline })
    }
    case 'not-sent':
    case 'unknown':
      return sent
  }
}
