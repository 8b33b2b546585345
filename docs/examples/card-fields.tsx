// Card fields for React 17 or later: Cofre's own inputs, in a frame.
import { CardFields, type CardFieldsChange, DirectTokenError } from '@cofre/client/fields'
import { useEffect, useRef, useState } from 'react'

export interface CardFieldsFormProps {
  /** The vault's origin: `https://vault.shop.example`. */
  readonly vaultUrl: string
  /** Id of the shop's store. */
  readonly store: string
  /** Has the shop's server pay with the token. The button stays disabled until it resolves. */
  readonly onToken: (directToken: string) => Promise<void>
}

/** The frame explains errors of the card beside its inputs. */
function problemOf(error: unknown): string {
  const isOfCard = error instanceof DirectTokenError && error.code === 'creditcard_invalid_fields'
  return isOfCard ? '' : 'Please try again.'
}

export function CardFieldsForm({ vaultUrl, store, onToken }: CardFieldsFormProps) {
  const place = useRef<HTMLDivElement | null>(null)
  const fields = useRef<CardFields | null>(null)
  const latestPay = useRef<(() => Promise<void>) | null>(null)
  const isPaying = useRef(false)
  const [change, setChange] = useState<CardFieldsChange | null>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  async function pay(): Promise<void> {
    // Enter in the fields comes past the disabled button.
    if (isPaying.current) return
    isPaying.current = true
    setIsBusy(true)
    setProblem('')
    const directToken = await fields.current?.getDirectToken().catch((error: unknown) => {
      setProblem(problemOf(error))
    })
    if (directToken) await onToken(directToken)
    isPaying.current = false
    setIsBusy(false)
  }

  useEffect(() => {
    latestPay.current = pay
  })

  useEffect(() => {
    if (place.current === null) return undefined
    const made = new CardFields(place.current, { baseUrl: vaultUrl, store })
    made.on('change', setChange)
    made.on('submit', () => void latestPay.current?.())
    fields.current = made
    return () => {
      made.destroy()
    }
  }, [vaultUrl, store])

  return (
    <>
      <div ref={place} />
      <output>{change?.brand}</output>
      <p role="alert">{problem}</p>
      <button type="button" disabled={isBusy} onClick={() => void pay()}>
        Pay
      </button>
    </>
  )
}
