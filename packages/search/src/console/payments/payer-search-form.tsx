import { PostForm, useView, useTexts } from '@cofre/panel/page'
import { PAYMENT_LIST_TEXTS } from './texts.js'

export const DOCUMENT_LENGTH_MAX = 20
export const PROOF_LENGTH_MAX = 254

/** For roles that see documents masked. */
export function PayerSearch() {
  const { at } = useView()
  const texts = useTexts(PAYMENT_LIST_TEXTS).payerSearch
  return (
    <details class="card" data-keep="payer-search">
      <summary>{texts.title}</summary>
      <p>{texts.intro}</p>
      <PostForm action={at('/payments/of-payer')}>
        <label>
          {texts.document}
          <input name="document" required autocomplete="off" maxlength={DOCUMENT_LENGTH_MAX} />
        </label>
        <label>
          {texts.proof}
          <input name="proof" required autocomplete="off" maxlength={PROOF_LENGTH_MAX} />
        </label>
        <button>{texts.button}</button>
      </PostForm>
    </details>
  )
}
