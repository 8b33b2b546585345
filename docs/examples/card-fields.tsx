// Card fields for React 17 or later: Cofre's own inputs, in a frame.
import { CardFields, type CardFieldsChange, DirectTokenError } from '@cofre/client/fields'
import { useEffect, useRef, useState } from 'react'

export interface CardFieldsFormProps {
  /** The vault's origin: `https://vault.shop.example`. */
  readonly vaultUrl: string
  /** Id of the shop's store. */
  readonly store: string
  /** Gets the token, which the shop's server pays with. */
  readonly onToken: (directToken: string) => void
}

/** What is wrong with the card stands in the frame, beside its inputs. */
function problemOf(error: unknown): string {
  const isOfCard = error instanceof DirectTokenError && error.code === 'creditcard_invalid_fields'
  return isOfCard ? '' : 'Please try again.'
}

export function CardFieldsForm({ vaultUrl, store, onToken }: CardFieldsFormProps) {
  const place = useRef<HTMLDivElement | null>(null)
  const fields = useRef<CardFields | null>(null)
  const [change, setChange] = useState<CardFieldsChange | null>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  async function pay(): Promise<void> {
    setIsBusy(true)
    setProblem('')
    try {
      const directToken = await fields.current?.getDirectToken()
      if (directToken !== undefined) onToken(directToken)
    } catch (error) {
      setProblem(problemOf(error))
    }
    setIsBusy(false)
  }

  useEffect(() => {
    if (place.current === null) return undefined
    const made = new CardFields(place.current, { baseUrl: vaultUrl, store })
    made.on('change', setChange)
    made.on('submit', () => void pay())
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
