// A card form for React 17 or later, with the library as an ES module.
import { type CardField, DirectTokenError, PaymentMethod } from '@cofre/client'
import { useEffect, useRef, useState } from 'react'

export interface CardFormProps {
  /** The vault's origin: `https://vault.shop.example`. */
  readonly vaultUrl: string
  /** Gets the token, which the shop's server pays with. */
  readonly onToken: (directToken: string) => void
}

const INPUTS = [
  { field: 'number', label: 'Card number', autoComplete: 'cc-number' },
  { field: 'month', label: 'Month', autoComplete: 'cc-exp-month' },
  { field: 'year', label: 'Year', autoComplete: 'cc-exp-year' },
  { field: 'cvv', label: 'CVV', autoComplete: 'cc-csc' },
] as const

/** Without any fields when only the vault knows what is wrong with the card. */
function isOfCard(error: unknown): error is DirectTokenError {
  return error instanceof DirectTokenError && error.code === 'creditcard_invalid_fields'
}

/** Made in an effect, so that a server that renders the form opens no session. */
function usePaymentMethod(vaultUrl: string) {
  const paymentMethod = useRef<PaymentMethod | null>(null)
  useEffect(() => {
    paymentMethod.current = new PaymentMethod({ baseUrl: vaultUrl })
  }, [vaultUrl])
  return paymentMethod
}

/**
 * Keeps the card in the inputs alone: neither in state nor in attributes, and the inputs have no
 * name.
 */
export function CardForm({ vaultUrl, onToken }: CardFormProps) {
  const paymentMethod = usePaymentMethod(vaultUrl)
  const inputs = useRef<Partial<Record<CardField, HTMLInputElement | null>>>({})
  const [brand, setBrand] = useState<string | null>(null)
  const [wrong, setWrong] = useState<readonly CardField[]>([])
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  const typed = (field: CardField): string => inputs.current[field]?.value ?? ''

  function showBrand(): void {
    setBrand(paymentMethod.current?.brandOf(typed('number')) ?? null)
  }

  async function pay(): Promise<void> {
    setIsBusy(true)
    setWrong([])
    setProblem('')
    try {
      const directToken = await paymentMethod.current?.createDirectToken({
        creditCard: typed('number'),
        cvv: typed('cvv'),
        expiration: { month: typed('month'), year: typed('year') },
      })
      if (directToken !== undefined) onToken(directToken)
    } catch (error) {
      setWrong(isOfCard(error) ? error.fields : [])
      setProblem(isOfCard(error) ? 'Please check the card.' : 'Please try again.')
    }
    setIsBusy(false)
  }

  return (
    <form
      onSubmit={(event: { preventDefault: () => void }) => {
        event.preventDefault()
        void pay()
      }}
    >
      {INPUTS.map(({ field, label, autoComplete }) => (
        <label key={field}>
          {label}
          <input
            ref={(input: HTMLInputElement | null) => {
              inputs.current[field] = input
            }}
            inputMode="numeric"
            autoComplete={autoComplete}
            aria-invalid={wrong.includes(field) ? 'true' : 'false'}
            onInput={showBrand}
          />
        </label>
      ))}
      <output>{brand}</output>
      <p role="alert">{problem}</p>
      <button disabled={isBusy}>Pay</button>
    </form>
  )
}
