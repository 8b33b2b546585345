import { fill } from '@cofre/pages'
import { AmountField, Fact, PostForm, Time } from '@cofre/provider-kit/simulator'
import { dayText, money } from '@cofre/pix-api/simulator-parts'
import { pixCodeOf } from '../boleto-view.js'
import type { Received } from '../book.js'
import { isOpen } from '../boletos.js'
import { isPayable } from '../controls.js'
import { BoletoBadge, type BoletoProps, addressOf, titleOf } from './boleto-list.js'
import type { View } from './view.js'

export function BoletoDetails({ view, boleto }: BoletoProps) {
  const texts = view.texts.boletos
  const { codes, received, receiver, terms } = boleto
  const pixCode = pixCodeOf(boleto)
  return (
    <section class="card">
      <h1>{titleOf(view, boleto)}</h1>
      <p>
        <BoletoBadge view={view} boleto={boleto} />
      </p>
      <dl class="facts">
        <Fact term={texts.payer}>{terms.pagador.nome}</Fact>
        <Fact term={texts.due}>{dayText(view, terms.dataVencimento)}</Fact>
        <Fact term={texts.receiver}>{receiver.name}</Fact>
        <Fact term={texts.created}>
          <Time view={view} ms={boleto.requestedMs} />
        </Fact>
        <Fact term={texts.shopNumber}>
          <code>{terms.seuNumero}</code>
        </Fact>
        {received !== undefined && (
          <Fact term={texts.received}>{receivedText(view, received)}</Fact>
        )}
        {codes !== undefined && (
          <>
            <Fact term={texts.ourNumber}>
              <code>{codes.ourNumber}</code>
            </Fact>
            <Fact term={texts.line}>
              <code>{codes.line}</code>
            </Fact>
          </>
        )}
        {pixCode !== undefined && (
          <Fact term={texts.pixCode}>
            <code>{pixCode}</code>
          </Fact>
        )}
      </dl>
      <IssueForms view={view} boleto={boleto} />
      <PayForms view={view} boleto={boleto} />
      <EndForms view={view} boleto={boleto} />
    </section>
  )
}

function receivedText(view: View, { amountMinor, origin }: Received): string {
  return fill(view.texts.boletos.origins[origin ?? 'elsewhere'], {
    amount: money(view, amountMinor),
  })
}

function IssueForms({ view, boleto }: BoletoProps) {
  if (boleto.situation !== 'EM_PROCESSAMENTO') return null
  return <ActForms view={view} boleto={boleto} acts={['issue', 'fail-issue']} />
}

function PayForms({ view, boleto }: BoletoProps) {
  const texts = view.texts.boletos
  if (!isPayable(boleto)) return null
  const action = `${addressOf(boleto)}/pay`
  const amountMinor = boleto.terms.valorNominal
  const amount = money(view, amountMinor)
  const hasPix = boleto.codes?.pix !== undefined
  const isLate = !isOpen(boleto)
  const buttons = (line: string, pix: string, style?: 'quiet') => (
    <>
      <button name="way" value="line" class={style}>
        {line}
      </button>
      {hasPix && !isLate && (
        <button name="way" value="pix" class={style}>
          {pix}
        </button>
      )}
    </>
  )
  const byLine = isLate ? texts.payLate : texts.payByLine
  return (
    <>
      {isLate && <p>{texts.lateHint}</p>}
      <PostForm view={view} action={action}>
        {buttons(fill(byLine, { amount }), fill(texts.payByPix, { amount }))}
      </PostForm>
      <PostForm view={view} action={action}>
        <AmountField view={view} label={texts.otherAmount} amountMinor={amountMinor} />
        {buttons(texts.byLine, texts.byPix, 'quiet')}
      </PostForm>
    </>
  )
}

function EndForms({ view, boleto }: BoletoProps) {
  const ends = isOpen(boleto) ? (['mark-received', 'expire', 'cancel'] as const) : []
  return <ActForms view={view} boleto={boleto} acts={[...ends, 'notice']} />
}

const LABELS = {
  issue: 'issue',
  'fail-issue': 'failIssue',
  'mark-received': 'markReceived',
  expire: 'expire',
  cancel: 'cancel',
  notice: 'sendNotice',
} as const

export type Act = keyof typeof LABELS

interface ActProps extends BoletoProps {
  readonly acts: readonly Act[]
}

function ActForms({ view, boleto, acts }: ActProps) {
  return (
    <div class="bank-form">
      {acts.map((act) => (
        <PostForm view={view} action={`${addressOf(boleto)}/${act}`}>
          <button class="quiet">{view.texts.boletos[LABELS[act]]}</button>
        </PostForm>
      ))}
    </div>
  )
}
