import { Notice } from '@cofre/pages'
import { openInbox } from '@cofre/sandbox'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Copyable } from '../part/parts.js'
import type { SimulatedParts } from '../visit/simulated-parts.js'
import { useTexts } from '../visit/visit.js'
import request from './first-transaction.json' with { type: 'json' }
import { SANDBOX_TEXTS } from './texts.js'

/** Shows a store without payments how to make the first one. */
export function firstTransactionOf(parts: SandboxParts): SimulatedParts['firstPayment'] {
  const { demoShopUrl, mediaVendor, inboxOrigin, sandbox, sandboxUrl } = parts
  return async (storeId, language) => {
    const { path } = await openInbox(sandbox, storeId)
    const commands = firstTransactionCommands({
      sandboxUrl,
      mediaVendor,
      storeId,
      secretHint: SANDBOX_TEXTS[language].firstPayment.yourSecret,
      notificationUrl: `${inboxOrigin}${path}`,
    })
    return <FirstTransactionNotice commands={commands} demoShopUrl={demoShopUrl} />
  }
}

interface FirstTransactionNoticeProps {
  readonly commands: string
  readonly demoShopUrl: string | undefined
}

function FirstTransactionNotice({ commands, demoShopUrl }: FirstTransactionNoticeProps) {
  const texts = useTexts(SANDBOX_TEXTS).firstPayment
  return (
    <Notice {...texts.first}>
      {demoShopUrl !== undefined && (
        <p>
          {texts.demoShop}{' '}
          <a href={demoShopUrl} target="_blank" rel="noopener">
            {texts.demoShopLink}
          </a>
          .
        </p>
      )}
      <Copyable id="first-transaction" text={commands} label={texts.commands} block />
      <p class="hint">{texts.signing}</p>
    </Notice>
  )
}

/** Values for the commands of a first transaction. */
export interface FirstTransaction {
  readonly sandboxUrl: string
  readonly mediaVendor: string
  readonly storeId: string
  /** Placeholder of the secret key, which the panel does not show. */
  readonly secretHint: string
  readonly notificationUrl: string
}

/**
 * Shell commands that create a PIX, signed as docs/signing.md describes. The reference contains the
 * time, so the commands can be run again.
 */
export function firstTransactionCommands(first: FirstTransaction): string {
  const transaction = { ...request.transaction, 'notification-url': first.notificationUrl }
  const body = JSON.stringify({ ...request, transaction }).replace('REFERENCE', `'$(date +%s)'`)
  return `STORE=${quoted(first.storeId)}
SECRET=${quoted(first.secretHint)}
BODY='${body}'
DIGEST=$(printf %s "$BODY" | openssl md5 -r | cut -c1-32 | tr -d '\\n' | openssl base64 -A)
HMAC=$(printf %s "/transactions$DIGEST" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-64)
curl ${quoted(`${first.sandboxUrl}/transactions`)} \\
  -H "Authorization: $STORE:$HMAC" \\
  -H 'Accept: application/vnd.${first.mediaVendor}.v2+json; charset=UTF-8' \\
  -H 'Content-Type: application/json' \\
  -d "$BODY"`
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
